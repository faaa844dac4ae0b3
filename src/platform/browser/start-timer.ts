import { createContext, useContext } from 'react'

/** Starts the timer of this person's focus about one of their rows. */
export type StartTimer = (about: { todo_id: string } | { habit_id: string }) => void

/** Whoever has the timer provides it. */
export const StartTimerContext = createContext<StartTimer>(() => {})

export function useStartTimer(): StartTimer {
  return useContext(StartTimerContext)
}
