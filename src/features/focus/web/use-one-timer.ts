import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { useUserCalendar } from '#platform/browser/user-calendar.tsx'
import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import { clockTime, formatDuration } from '#platform/format/format-time.ts'
import { writeToQueue } from '#platform/sync/local-store/device-value.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { useCollection } from '#platform/sync/react/use-collection.ts'
import { useDeviceValue } from '#platform/sync/react/use-device-value.ts'
import { sessionOfRun } from '../session-of-run.ts'
import { type FocusTimer, idle, type Run, type Step, shiftedRun } from '../timer.ts'
import { adoptServerTimer, applyStep, differsFromServer } from '../timer-merge.ts'
import { deviceTimer } from './device-timer.ts'
import { timerNow } from './focus-clock.ts'
import { recordFocusSession } from './focus-queries.ts'
import { changeFocusTimer, focusTimerList } from './focus-timer-queries.ts'

/**
 * Applies a step to what the device has stored at that moment, and resolves with it once the result is stored. Rejects
 * if it could not be stored. `pressed` is when the person pressed, left out for what is only noticed.
 */
export type TakeStep = (take: (timer: FocusTimer) => Step, pressed?: Instant) => Promise<Step>

interface OneTimer {
  /** Undefined until the device has been read. */
  timer: FocusTimer | undefined
  takeStep: TakeStep
  /** Asks the server for other devices' changes. Settles when they are known, or cannot be. */
  refetch(): Promise<void>
}

/**
 * The one timer of all a person's devices. Until their calendar and the server's clock are known, other devices'
 * changes have to wait.
 */
export function useOneTimer(calendarKnown: boolean): OneTimer {
  const { value: local, change } = useDeviceValue(deviceTimer)
  const { rows, retry: refetch } = useCollection(focusTimerList)
  const serverTimer = rows?.[0]
  const { timeZone, dayStart } = useUserCalendar()
  const sync = useSync()
  const clockKnown = useSyncExternalStore(sync.subscribe, () => sync.ahead !== undefined)

  const takeStep: TakeStep = useCallback(
    async (take, pressed) => {
      const record = (run: Run) => {
        const session = sessionOfRun(shiftedRun(run, sync.ahead ?? 0), timeZone, dayStart)
        const label = `${formatDuration(session.duration)} from ${clockTime(Date.parse(session.started_at), timeZone)}`
        return writeToQueue(recordFocusSession, { session, label, at: instantToWire(Date.now()) })
      }
      let taken: Step = { timer: idle }
      await change((before, fromServer) => {
        const { ahead } = sync
        const adopted =
          fromServer && calendarKnown && ahead !== undefined
            ? adoptServerTimer(before, fromServer, ahead, timerNow())
            : { standing: before, focused: [] }
        taken = take(adopted.standing.timer)
        const { standing, toSend, focused } = applyStep(adopted.standing, taken, ahead ?? 0, pressed)
        const sessions = [...adopted.focused, ...focused].map(record)
        return {
          value: standing,
          queue: toSend ? [...sessions, writeToQueue(changeFocusTimer, toSend)] : sessions,
        }
      })
      return taken
    },
    [change, sync, calendarKnown, timeZone, dayStart],
  )

  useEffect(() => {
    if (!calendarKnown || !clockKnown || !local || !serverTimer || !differsFromServer(local, serverTimer))
      return
    takeStep((timer) => ({ timer })).catch((error: unknown) => {
      console.warn('The device did not keep what another one made of the timer', error)
    })
  }, [local, serverTimer, calendarKnown, clockKnown, takeStep])

  return { timer: local?.timer, takeStep, refetch }
}
