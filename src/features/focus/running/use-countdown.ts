import { useEffect, useMemo, useReducer } from 'react'
import type { FocusPlan } from '../plan/focus-plan.ts'
import { asleep, endOf, type FocusTimer, isUnsettled, type Shown, shownAt } from '../timer/timer.ts'
import { timerNow } from '../timer/web/focus-clock.ts'
import type { OneTimer } from '../timer/web/use-one-timer.ts'
import { watchSeconds } from './watch-seconds.ts'

/** The functions needed to notice the end of a phase. */
type EndDetection = Pick<OneTimer, 'notice' | 'refetch'>

/**
 * The state of the countdown, a new object each second while the timer runs. With `finding` it also notices the end of a phase,
 * or a clock that was set back. Pass the same `finding` object each time: a new one restarts the countdown.
 */
export function useCountdown(
  timer: FocusTimer | undefined,
  plan: FocusPlan,
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
      // The device slept through the end. The timer may have been paused on another device meanwhile, so ask the server first.
      if (refetched === 'not yet' && now - (endOf(timer) ?? now) > asleep) {
        refetched = 'soon'
        await finding.refetch()
        if (gone) return
        refetched = 'now'
      }
      await finding.notice()
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

  const shown = timer && shownAt(timer, timerNow(), plan)
  const text = JSON.stringify(shown)
  return useMemo<Shown | undefined>(() => (text === undefined ? undefined : JSON.parse(text)), [text])
}
