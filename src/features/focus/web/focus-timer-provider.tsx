import { createContext, type ReactNode, useCallback, useContext, useMemo } from 'react'
import { instantToWire } from '#platform/calendar/day.ts'
import { useBeforeLeaving } from '#platform/sync/use-before-leaving.ts'
import { useKept } from '#platform/sync/use-kept.ts'
import { clockTime, digits, durationInWords } from '#platform/ui/time-in-words.ts'
import { useUserCalendar } from '#platform/ui/user-calendar.tsx'
import { useTitleNote } from '#platform/ui/window-title.ts'
import { type FocusTimer, idle, isUnrecorded, leave, type Shown, type Step } from '../timer.ts'
import { recordFocusSession } from './focus-queries.ts'
import { keptTimer } from './kept-timer.ts'
import { sessionOfRun } from './session-of-run.ts'
import { useArmedChime } from './use-armed-chime.ts'
import { useCountdown } from './use-countdown.ts'
import { useTellOfTheEnd } from './use-tell-of-the-end.ts'
import { type TakeStep, type TimerControls, useTimerControls } from './use-timer-controls.ts'

interface FocusTimerProviderProps {
  /** Whether the person's own zone and day start are known: before that, nothing is recorded by itself. */
  calendarKnown: boolean
  children: ReactNode
}

/**
 * Keeps the person's one focus timer going on every screen: its end is found and recorded whichever page they look at.
 * Stands within the SyncProvider and the calendar.
 */
export function FocusTimerProvider({ calendarKnown, children }: FocusTimerProviderProps) {
  const { value: timer, change } = useKept(keptTimer)
  const { timeZone, dayStart } = useUserCalendar()

  const takeStep: TakeStep = useCallback(
    async (take) => {
      let taken: Step = { timer: idle }
      await change((before: FocusTimer) => {
        taken = take(before)
        if (!taken.focused) return { value: taken.timer }
        const session = sessionOfRun(taken.focused, timeZone, dayStart)
        const label = `${durationInWords(session.duration)} from ${clockTime(Date.parse(session.started_at), timeZone)}`
        const vars = { session, label, at: instantToWire(Date.now()) }
        return { value: taken.timer, queue: { write: recordFocusSession, vars } }
      })
      return taken
    },
    [change, timeZone, dayStart],
  )

  const controls = useTimerControls(takeStep)
  const countdown = useCountdown(timer, calendarKnown ? takeStep : undefined)
  useBeforeLeaving(
    useMemo(
      () => ({
        isUnfinished: () => timer !== undefined && isUnrecorded(timer, Date.now()),
        finish: async () => {
          await takeStep((before) => leave(before, Date.now()))
        },
      }),
      [timer, takeStep],
    ),
  )
  useArmedChime(timer?.status === 'running')
  const missed = useTellOfTheEnd(timer)
  useTitleNote(missed ? "Time's up!" : countdown && titleOf(countdown))

  return (
    <ControlsContext value={controls}>
      <CountdownContext value={countdown}>{children}</CountdownContext>
    </ControlsContext>
  )
}

export function useFocusTimer(): TimerControls {
  const controls = useContext(ControlsContext)
  if (!controls) throw new Error('The focus timer needs a FocusTimerProvider around it')
  return controls
}

/** Another object each second while the timer runs; undefined until the device was read. */
export function useFocusCountdown(): Shown | undefined {
  return useContext(CountdownContext)
}

const ControlsContext = createContext<TimerControls | undefined>(undefined)
const CountdownContext = createContext<Shown | undefined>(undefined)

function titleOf({ status, secondsLeft }: Shown): string | undefined {
  if (status === 'running') return digits(secondsLeft)
  return status === 'paused' ? `Paused ${digits(secondsLeft)}` : undefined
}
