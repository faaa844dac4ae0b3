import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react'
import { instantToWire } from '#platform/calendar/day.ts'
import { useBeforeLeaving } from '#platform/sync/use-before-leaving.ts'
import { useKept } from '#platform/sync/use-kept.ts'
import { announce } from '#platform/ui/announcer.tsx'
import { toast } from '#platform/ui/toast.ts'
import { useUserCalendar } from '#platform/ui/user-calendar.tsx'
import { useTitleNote } from '#platform/ui/window-title.ts'
import { newRowId } from '#platform/wire/new-row-id.ts'
import {
  type FocusTimer,
  idle,
  isUnsettled,
  leave,
  pause,
  reset,
  type Step,
  save,
  secondsLeft,
  settle,
  start,
} from '../timer.ts'
import { allowChime } from './chime.ts'
import { recordFocusSession } from './focus-queries.ts'
import { keptTimer } from './kept-timer.ts'
import { sessionOfRun } from './session-of-run.ts'
import { clockTime, digits, durationInWords } from './time-in-words.ts'
import { useTellOfTheEnd } from './use-tell-of-the-end.ts'
import { watchSeconds } from './watch-seconds.ts'

interface FocusTimerControls {
  start(): void
  pause(): void
  /** Can be taken back for a while. */
  reset(): void
  save(): void
}

/** What the countdown shows now. */
export interface Countdown {
  status: FocusTimer['status']
  /** Whole seconds, 1,500 down to 0. */
  secondsLeft: number
}

/**
 * Keeps the person's one focus timer going on every screen: its end is found and recorded whichever page they look at.
 * Stands within the SyncProvider and the calendar.
 */
export function FocusTimerProvider({ children }: { children: ReactNode }) {
  const { value: timer, change } = useKept(keptTimer)
  const { timeZone, dayStart } = useUserCalendar()

  /** Rejects when the device could not keep it. */
  const step = useCallback(
    (take: (timer: FocusTimer) => Step) =>
      change((before: FocusTimer) => {
        const { timer, focused } = take(before)
        if (!focused) return { value: timer }
        const session = sessionOfRun(focused, timeZone, dayStart)
        const label = `${durationInWords(session.duration)} from ${clockTime(Date.parse(session.started_at), timeZone)}`
        const vars = { session, label, at: instantToWire(Date.now()) }
        return { value: timer, queue: { write: recordFocusSession, vars } }
      }),
    [change, timeZone, dayStart],
  )

  const controls = useMemo<FocusTimerControls>(() => {
    // What was pressed counts from the press, not from when the device is done with it.
    const press = (take: (timer: FocusTimer, now: number) => Step, said: string) => {
      const now = Date.now()
      step((before) => take(before, now)).then(() => announce(said), tellNotKept)
    }
    return {
      start() {
        allowChime()
        const id = newRowId(Date.now(), crypto.getRandomValues(new Uint8Array(10)))
        press((before, now) => start(before, now, id), 'Timer running')
      },
      pause: () => press(pause, 'Timer paused'),
      reset() {
        const now = Date.now()
        let dropped: FocusTimer = idle
        step((before) => {
          dropped = settle(before, now).timer
          return reset(before, now)
        }).then(() => {
          announce('Timer reset')
          if (dropped.status === 'idle' || dropped.status === 'finished') return
          toast('Timer reset', {
            description: `It stood at ${digits(secondsLeft(dropped, now))}.`,
            action: { label: 'Undo', onClick: () => takeBack(dropped) },
          })
        }, tellNotKept)
      },
      save() {
        const now = Date.now()
        let taken: Step = { timer: idle }
        step((before) => {
          taken = save(before, now)
          return taken
        }).then(() => {
          if (taken.focused) announce('Session saved')
          else if (taken.timer.status === 'running') toast('There is not a second to save yet')
        }, tellNotKept)
      },
    }
    function takeBack(dropped: FocusTimer) {
      press((before) => ({ timer: before.status === 'idle' ? dropped : before }), 'Timer is back')
    }
  }, [step])

  useSettling(timer, step)
  useBeforeLeaving(useCallback(() => step((before) => leave(before, Date.now())), [step]))
  useTellOfTheEnd(timer)

  const countdown = useCountdown(timer)
  useTitleNote(countdown && titleOf(countdown))
  return (
    <ControlsContext value={controls}>
      <CountdownContext value={countdown}>{children}</CountdownContext>
    </ControlsContext>
  )
}

export function useFocusTimer(): FocusTimerControls {
  const controls = useContext(ControlsContext)
  if (!controls) throw new Error('The focus timer needs a FocusTimerProvider around it')
  return controls
}

/** Another object each second while the timer runs; undefined until the device was read. */
export function useFocusCountdown(): Countdown | undefined {
  return useContext(CountdownContext)
}

const ControlsContext = createContext<FocusTimerControls | undefined>(undefined)
const CountdownContext = createContext<Countdown | undefined>(undefined)

function useCountdown(timer: FocusTimer | undefined): Countdown | undefined {
  const subscribe = useCallback((look: () => void) => watchSeconds(timer ?? idle, look), [timer])
  const left = useSyncExternalStore(subscribe, () => timer && secondsLeft(timer, Date.now()))
  return useMemo(
    () =>
      timer && left !== undefined
        ? { status: left === 0 ? 'finished' : timer.status, secondsLeft: left }
        : undefined,
    [timer, left],
  )
}

/** Finds the end of a run, or a clock that was set back, whenever there is somebody to find it. */
function useSettling(
  timer: FocusTimer | undefined,
  step: (take: (timer: FocusTimer) => Step) => Promise<void>,
) {
  useEffect(() => {
    if (timer?.status !== 'running') return
    const settleWhenDue = () => {
      const now = Date.now()
      if (!isUnsettled(timer, now)) return
      step((before) => settle(before, now)).catch((error: unknown) => {
        console.warn('The device did not keep the end of the timer; it is tried again', error)
      })
    }
    settleWhenDue()
    return watchSeconds(timer, settleWhenDue)
  }, [timer, step])
}

function titleOf({ status, secondsLeft }: Countdown): string | undefined {
  if (status === 'running') return digits(secondsLeft)
  if (status === 'paused') return `Paused ${digits(secondsLeft)}`
  return status === 'finished' ? "Time's up!" : undefined
}

function tellNotKept(error: unknown) {
  console.warn('The device did not keep the timer', error)
  toast.error('Failed to change the timer', { description: 'This device could not keep it.' })
}
