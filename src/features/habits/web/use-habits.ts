import { createContext, useContext, useMemo } from 'react'
import { useToday } from '#platform/browser/user-calendar.tsx'
import { type CollectionState, useCollection } from '#platform/sync/react/use-collection.ts'
import type { HabitFacts } from '../habit-facts.ts'
import { hasMinutes } from '../minutes.ts'
import { type OwnSession, withOwnSessions } from '../own-sessions.ts'
import { habitList } from './habit-queries.ts'

/** A hook for the focus sessions that this device knows of, read only if they are needed. */
export type UseOwnSessions = (areNeeded: boolean) => readonly OwnSession[] | undefined

/** Focus sessions are of another feature: whoever shows habits says how they are read. */
export const OwnSessionsContext = createContext<UseOwnSessions>(() => undefined)

/** The habits, with what was focused on them as far as this device knows. */
export function useHabits(): CollectionState<HabitFacts> {
  const state = useCollection(habitList)
  const { rows } = state
  const needsSessions = rows?.some(({ rhythms }) => hasMinutes(rhythms)) ?? false
  const useOwnSessions = useContext(OwnSessionsContext)
  const sessions = useOwnSessions(needsSessions)
  const today = useToday()
  const counted = useMemo(
    () => (rows && sessions ? rows.map((habit) => withOwnSessions(habit, sessions, today)) : rows),
    [rows, sessions, today],
  )
  return { ...state, rows: counted }
}
