import { ColorCircle } from '#platform/ui/controls/color-circle.tsx'
import type { FocusShare } from './focus-shares.ts'

/** A circle in the colour of the list, or a box for a habit. The name beside the sign makes it clear without colour. */
export function ShareSign({ kind, list }: Pick<FocusShare, 'kind' | 'list'>) {
  if (list) return <ColorCircle color={list.color} />
  const isHabit = kind === 'habit' || kind === 'habits'
  return (
    <span
      aria-hidden="true"
      className={isHabit ? 'size-2 shrink-0 rounded-[2px] ring ring-ink-3' : 'size-2 shrink-0'}
    />
  )
}
