import { useEffect, useMemo, useReducer } from 'react'
import { type FocusTimer, isUnsettled, type Shown, settle, shownAt } from '../timer.ts'
import type { TakeStep } from './use-timer-controls.ts'
import { watchSeconds } from './watch-seconds.ts'

/**
 * What the countdown shows, another object each second while it runs. With `takeStep` it also finds the end of a run, or a
 * clock that was set back, whenever there is somebody to find it.
 */
export function useCountdown(
  timer: FocusTimer | undefined,
  takeStep: TakeStep | undefined,
): Shown | undefined {
  const [, look] = useReducer((looks: number) => looks + 1, 0)

  useEffect(() => {
    if (timer?.status !== 'running') return
    const settleWhenDue = () => {
      const now = Date.now()
      if (!takeStep || !isUnsettled(timer, now)) return
      takeStep((before) => settle(before, now)).catch((error: unknown) => {
        console.warn('The device did not keep the end of the timer; it is tried again', error)
      })
    }
    settleWhenDue()
    return watchSeconds(timer, () => {
      look()
      settleWhenDue()
    })
  }, [timer, takeStep])

  const { status, secondsLeft } = timer ? shownAt(timer, Date.now()) : { status: undefined, secondsLeft: 0 }
  return useMemo(() => (status === undefined ? undefined : { status, secondsLeft }), [status, secondsLeft])
}
