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

/** A new object each second while the timer runs; undefined until the device has been read. */
export function useFocusCountdown(): Shown | undefined {
  return useContext(CountdownContext)
}

/** The timer as it stands, which changes with presses; undefined until the device has been read. */
export function useStandingTimer(): FocusTimer | undefined {
  return useContext(TimerContext)
}
