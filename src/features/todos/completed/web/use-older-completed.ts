import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { Todo } from '#features/todos/todo/todo.ts'
import type { Day } from '#platform/calendar/day.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { useSyncState } from '#platform/sync/react/use-sync-state.ts'
import { completedTaskKey } from '../completed-todos.ts'
import { completedQuery, searchDelay } from './completed-queries.ts'

/** A completion that only the server has. */
export interface OlderCompleted {
  key: string
  title: string
  /** The person's day on which the to-do was completed. */
  day: Day
}

/** Calls `settle` a moment after the last key press, with what is typed by then. */
export function useSettled(typed: string, settle: (text: string) => void): void {
  const text = typed.trim()
  useEffect(() => {
    const timer = setTimeout(() => settle(text), searchDelay)
    return () => clearTimeout(timer)
  }, [text, settle])
}

/**
 * Completed to-dos that this device no longer has, read from the server for a text that has settled. Called outside of what each key
 * draws, since a query takes its time. `reached`: whether the server has responded or may still do so; without a connection, only the
 * to-dos on this device can be found.
 */
export function useOlderCompleted(
  settled: string,
  here: readonly Todo[],
): { olderFor(typed: string): readonly OlderCompleted[]; reached: boolean } {
  const { account } = useSync()
  const { connection } = useSyncState()
  const { data, isError } = useQuery({
    ...completedQuery(account, { search: settled }),
    enabled: settled !== '' && connection === 'up',
  })
  const reached = connection === 'up' && !isError
  const older = useMemo(() => {
    if (!data || data.todos.length === 0) return none
    // Look up by the ids in the response, which are far fewer than the rows on this device.
    const read = new Set(data.todos.map(({ id }) => id))
    const known = new Set(here.filter(({ id }) => read.has(id)).map(({ id }) => id))
    return data.todos
      .filter(({ id }) => !known.has(id))
      .map((todo) => ({ key: completedTaskKey(todo), title: todo.title, day: todo.completed_on }))
  }, [data, here])
  return {
    reached,
    // Results for an earlier text no longer apply.
    olderFor(typed) {
      const text = typed.trim()
      return reached && text !== '' && settled === text ? older : none
    },
  }
}

const none: readonly OlderCompleted[] = []
