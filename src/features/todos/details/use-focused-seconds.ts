import { useQuery } from '@tanstack/react-query'
import { daysOfSessions, focusSessionCollection } from '#features/focus/sessions/focus-session-collection.ts'
import { focusedSecondsSchema } from '#features/focus/subjects/focus-by-subject.ts'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { addDays, type Day, dayOf, instantFromWire } from '#platform/calendar/day.ts'
import { collectionKey, ReadFailure } from '#platform/sync/collections/server-snapshot.ts'
import { sendRequest } from '#platform/sync/network/request.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { useCollection } from '#platform/sync/react/use-collection.ts'
import type { Todo } from '../todo/todo.ts'

/**
 * The seconds focused on a task that has an estimate; undefined while unknown. The device sums the sessions it has, including
 * unsent ones; the server sums all earlier sessions.
 */
export function useFocusedSeconds({ id, estimate, created_at }: Todo): number | undefined {
  const { account } = useSync()
  const today = useToday()
  const { timeZone, dayStart } = useUserCalendar()
  const isNeeded = estimate !== null
  const from = addDays(today, 1 - daysOfSessions)
  const { rows } = useCollection(focusSessionCollection, { isNeeded })
  const { data } = useQuery({
    queryKey: [...collectionKey(account, 'focused-before'), id, from],
    enabled: isNeeded,
    refetchOnMount: 'always',
    async queryFn({ signal }) {
      const path = `/api/focus/subjects/${id}?from=${firstDay}&to=${addDays(from, -1)}`
      const result = await sendRequest({ method: 'GET', path }, account, signal)
      if (result.kind !== 'done') throw new ReadFailure(result)
      return focusedSecondsSchema.parse(result.body).seconds
    },
  })
  // If this device has all sessions since the task was created, there are no earlier ones.
  const isNew = dayOf(instantFromWire(created_at), timeZone, dayStart) >= from
  const before = data ?? (isNew ? 0 : undefined)
  if (!isNeeded || !rows || before === undefined) return undefined
  const parts = rows.filter(({ todo_id }) => todo_id === id).flatMap(({ days }) => days)
  return parts.reduce((sum, { day, seconds }) => (day < from ? sum : sum + seconds), before)
}

/** The first day that a session can be on. */
const firstDay = '1900-01-01' as Day
