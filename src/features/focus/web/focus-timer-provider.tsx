import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { digits } from '#platform/ui/time-in-words.ts'
import { useTitleNote } from '#platform/ui/window-title.ts'
import type { Shown } from '../timer.ts'
import { useArmedChime } from './use-armed-chime.ts'
import { useCountdown } from './use-countdown.ts'
import { useOneTimer } from './use-one-timer.ts'
import { useTellOfTheEnd } from './use-tell-of-the-end.ts'
import { type TimerControls, useTimerControls } from './use-timer-controls.ts'

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
  const { timer, takeStep, hear } = useOneTimer(calendarKnown)
  const controls = useTimerControls(takeStep)
  const finding = useMemo(
    () => (calendarKnown ? { takeStep, hear } : undefined),
    [calendarKnown, takeStep, hear],
  )
  const countdown = useCountdown(timer, finding)
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
