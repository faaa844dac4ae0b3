import { useDeferredValue, useMemo } from 'react'
import { useLists } from '#features/lists/list/web/use-lists.ts'
import { countDueBy } from '#features/todos/dates/due-by.ts'
import { useTodos } from '#features/todos/todo/web/use-todos.ts'
import { useToday } from '#platform/browser/clock/user-calendar.tsx'
import { integerFormat } from '#platform/format/format-number.ts'

/** The number of tasks that are overdue or due today. */
export function TodayCount() {
  const { rows: lists } = useLists()
  // What the person looks at is drawn first.
  const todos = useDeferredValue(useTodos().rows)
  const today = useToday()
  const due = useMemo(() => (todos && lists ? countDueBy(today, todos, lists).due : 0), [today, todos, lists])
  if (due === 0) return null
  return (
    <span className="ml-auto text-small font-normal text-ink-3 tabular-nums">
      {integerFormat.format(due)}
      <span className="sr-only"> due</span>
    </span>
  )
}
