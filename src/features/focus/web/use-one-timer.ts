import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { type Instant, instantToWire } from '#platform/calendar/day.ts'
import { queued } from '#platform/sync/kept.ts'
import { useSync } from '#platform/sync/sync-context.ts'
import { useKept } from '#platform/sync/use-kept.ts'
import { useList } from '#platform/sync/use-list.ts'
import { clockTime, durationInWords } from '#platform/ui/time-in-words.ts'
import { useUserCalendar } from '#platform/ui/user-calendar.tsx'
import { sessionOfRun } from '../session-of-run.ts'
import { isBehind, stepFrom, takeOver } from '../standing.ts'
import { type FocusTimer, idle, type Run, type Step, shiftedRun } from '../timer.ts'
import { timerNow } from './focus-clock.ts'
import { recordFocusSession } from './focus-queries.ts'
import { changeFocusTimer, focusTimerList } from './focus-timer-queries.ts'
import { keptTimer } from './kept-timer.ts'

/**
 * Takes a step from what the device keeps at that moment, and answers it once it is kept. Rejects when it could not be.
 * `pressed`: when the person did, left out for what is only found out.
 */
export type TakeStep = (take: (timer: FocusTimer) => Step, pressed?: Instant) => Promise<Step>

interface OneTimer {
  /** Undefined until the device was read. */
  timer: FocusTimer | undefined
  takeStep: TakeStep
  /** Asks the server what other devices made of it. Settles when that is known, or cannot be. */
  hear(): Promise<void>
}

/**
 * The one timer of all devices of a person. Before their calendar and the server's clock are known, what other devices did
 * is left for later.
 */
export function useOneTimer(calendarKnown: boolean): OneTimer {
  const { value: kept, change } = useKept(keptTimer)
  const { rows, retry: hear } = useList(focusTimerList)
  const known = rows?.[0]
  const { timeZone, dayStart } = useUserCalendar()
  const sync = useSync()
  const clockKnown = useSyncExternalStore(sync.subscribe, () => sync.ahead !== undefined)

  const takeStep: TakeStep = useCallback(
    async (take, pressed) => {
      const record = (run: Run) => {
        const session = sessionOfRun(shiftedRun(run, sync.ahead ?? 0), timeZone, dayStart)
        const label = `${durationInWords(session.duration)} from ${clockTime(Date.parse(session.started_at), timeZone)}`
        return queued(recordFocusSession, { session, label, at: instantToWire(Date.now()) })
      }
      let taken: Step = { timer: idle }
      await change((before, answered) => {
        const { ahead } = sync
        const heard =
          answered && calendarKnown && ahead !== undefined
            ? takeOver(before, answered, ahead, timerNow())
            : { standing: before, focused: [] }
        taken = take(heard.standing.timer)
        const { standing, told, focused } = stepFrom(heard.standing, taken, ahead ?? 0, pressed)
        const sessions = [...heard.focused, ...focused].map(record)
        return { value: standing, queue: told ? [...sessions, queued(changeFocusTimer, told)] : sessions }
      })
      return taken
    },
    [change, sync, calendarKnown, timeZone, dayStart],
  )

  useEffect(() => {
    if (!calendarKnown || !clockKnown || !kept || !known || !isBehind(kept, known)) return
    takeStep((timer) => ({ timer })).catch((error: unknown) => {
      console.warn('The device did not keep what another one made of the timer', error)
    })
  }, [kept, known, calendarKnown, clockKnown, takeStep])

  return { timer: kept?.timer, takeStep, hear }
}
