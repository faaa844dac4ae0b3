import { useMemo } from 'react'
import { focusSessionCollection } from '#features/focus/sessions/focus-session-collection.ts'
import { hasMinutes } from '#features/habits/amounts/minutes.ts'
import { useToday } from '#platform/browser/clock/user-calendar.tsx'
import { type CollectionState, useCollection } from '#platform/sync/react/use-collection.ts'
import type { HabitFacts } from '../habit-facts.ts'
import { withOwnSessions } from '../own-sessions.ts'
import { habitCollection } from './habit-queries.ts'

/** The habits, including the focus sessions that this device knows of. */
export function useHabits(): CollectionState<HabitFacts> {
  const state = useCollection(habitCollection)
  const { rows } = state
  const isNeeded = rows?.some(({ rhythms }) => hasMinutes(rhythms)) ?? false
  const { rows: sessions } = useCollection(focusSessionCollection, { isNeeded })
  const today = useToday()
  const counted = useMemo(
    () => (rows && sessions ? rows.map((habit) => withOwnSessions(habit, sessions, today)) : rows),
    [rows, sessions, today],
  )
  return { ...state, rows: counted }
}
