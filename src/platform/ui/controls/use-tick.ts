import { useState } from 'react'
import { afterPaint } from '#platform/browser/activity.ts'

/**
 * A checkbox that shows at once what was chosen, while `set` may concern thousands of rows and runs after that is painted.
 * `isTicked`: what the data say.
 */
export function useTick(
  isTicked: boolean,
  set: (ticked: boolean) => void,
): { checked: boolean; choose(ticked: boolean): void } {
  const [chosen, setChosen] = useState<boolean>()
  return {
    checked: chosen ?? isTicked,
    choose(ticked) {
      setChosen(ticked)
      afterPaint(() => {
        set(ticked)
        setChosen(undefined)
      })
    },
  }
}
