import { createContext, useContext } from 'react'
import type { FocusTimer, Shown } from '../timer.ts'
import type { TimerControls } from './timer-controls.ts'

export const ControlsContext = createContext<TimerControls | undefined>(undefined)
export const TimerContext = createContext<FocusTimer | undefined>(undefined)
export const CountdownContext = createContext<Shown | undefined>(undefined)

export function useFocusTimer(): TimerControls {
  const controls = useContext(ControlsContext)
  if (!controls) throw new Error('The focus timer needs a FocusTimerProvider around it')
  return controls
}

/**
 * The state of the countdown, a new object each second while the timer runs; undefined until the timer has been read from the
 * device.
 */
export function useFocusCountdown(): Shown | undefined {
  return useContext(CountdownContext)
}

/** The timer as the last press left it; undefined until it has been read from the device. */
export function useStandingTimer(): FocusTimer | undefined {
  return useContext(TimerContext)
}
