import { createContext, useContext } from 'react'

/** Starts the person's focus timer on a to-do or a habit. */
export type StartTimer = (about: { todo_id: string } | { habit_id: string }) => void

/** Provided by the feature that has the timer. */
export const StartTimerContext = createContext<StartTimer>(() => {})

export function useStartTimer(): StartTimer {
  return useContext(StartTimerContext)
}
