import { useToday } from '#platform/browser/clock/user-calendar.tsx'
import { type CollectionState, useCollection } from '#platform/sync/react/use-collection.ts'
import { allShownOn } from '../shown-todo.ts'
import type { CompletedTotals, Todo } from '../todo.ts'
import { todoCollection } from './todo-queries.ts'

/** The to-dos on this device as they are on the person's current day. Repeating to-dos change at midnight. */
export function useTodos(): CollectionState<Todo, CompletedTotals> {
  const { rows, added, ...state } = useCollection(todoCollection)
  const today = useToday()
  return {
    ...state,
    rows: rows && allShownOn(rows, today),
    added: allShownOn(added, today),
  }
}
