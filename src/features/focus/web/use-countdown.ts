import { useEffect, useMemo, useReducer } from 'react'
import { endOf, type FocusTimer, isUnsettled, type Shown, settle, shownAt } from '../timer.ts'
import { timerNow } from './focus-clock.ts'
import type { TakeStep } from './use-one-timer.ts'
import { watchSeconds } from './watch-seconds.ts'

/** Whoever finds an end later than this has slept, and somebody may have paused the timer on another device meanwhile. */
const asleep = 10_000

/** What finds the end of a run. */
interface Finding {
  takeStep: TakeStep
  hear(): Promise<void>
}

/**
 * What the countdown shows, another object each second while it runs. With `finding` it also finds the end of a run, or a
 * clock that was set back, whenever there is somebody to find it. The same `finding`, or it begins anew.
 */
export function useCountdown(timer: FocusTimer | undefined, finding: Finding | undefined): Shown | undefined {
  const [, look] = useReducer((looks: number) => looks + 1, 0)

  useEffect(() => {
    if (timer?.status !== 'running') return
    let heard: 'not yet' | 'soon' | 'now' = 'not yet'
    let gone = false
    const settleWhenDue = async () => {
      const now = timerNow()
      if (!finding || heard === 'soon' || !isUnsettled(timer, now)) return
      if (heard === 'not yet' && now - (endOf(timer) ?? now) > asleep) {
        heard = 'soon'
        await finding.hear()
        if (gone) return
        heard = 'now'
      }
      // To hear may have taken minutes.
      await finding.takeStep((before) => settle(before, timerNow()))
    }
    const tryToSettle = () => {
      settleWhenDue().catch((error: unknown) => {
        console.warn('The device did not keep the end of the timer; it is tried again', error)
      })
    }
    tryToSettle()
    const stopWatching = watchSeconds(timer, () => {
      look()
      tryToSettle()
    })
    return () => {
      gone = true
      stopWatching()
    }
  }, [timer, finding])

  const { status, secondsLeft } = timer ? shownAt(timer, timerNow()) : { status: undefined, secondsLeft: 0 }
  return useMemo(() => (status === undefined ? undefined : { status, secondsLeft }), [status, secondsLeft])
}
