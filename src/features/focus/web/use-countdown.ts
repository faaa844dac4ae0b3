import { useEffect, useMemo, useReducer } from 'react'
import { endOf, type FocusTimer, isUnsettled, type Shown, settle, shownAt } from '../timer.ts'
import { timerNow } from './focus-clock.ts'
import type { TakeStep } from './use-one-timer.ts'
import { watchSeconds } from './watch-seconds.ts'

/** An end noticed later than this was slept through, and the timer may have been paused on another device meanwhile. */
const asleep = 10_000

/** What is needed to notice the end of a run. */
interface EndDetection {
  takeStep: TakeStep
  refetch(): Promise<void>
}

/**
 * What the countdown shows, a new object each second while it runs. With `finding` it also notices the end of a run, or
 * a clock that was set back. Pass the same `finding` object each time; a new one restarts it.
 */
export function useCountdown(
  timer: FocusTimer | undefined,
  finding: EndDetection | undefined,
): Shown | undefined {
  const [, look] = useReducer((looks: number) => looks + 1, 0)

  useEffect(() => {
    if (timer?.status !== 'running') return
    let refetched: 'not yet' | 'soon' | 'now' = 'not yet'
    let gone = false
    const settleWhenDue = async () => {
      const now = timerNow()
      if (!finding || refetched === 'soon' || !isUnsettled(timer, now)) return
      if (refetched === 'not yet' && now - (endOf(timer) ?? now) > asleep) {
        refetched = 'soon'
        await finding.refetch()
        if (gone) return
        refetched = 'now'
      }
      // The refetch may have taken minutes.
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
