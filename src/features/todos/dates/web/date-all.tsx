import type { Todo } from '#features/todos/todo/todo.ts'
import type { TodoActions } from '#features/todos/todo/web/todo-actions.ts'
import { returnFocusToRow } from '#platform/browser/rows/row-focus.ts'
import type { Day } from '#platform/calendar/day.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { dateAll } from './due-actions.ts'

interface DateAllProps {
  todos: readonly Todo[]
  to: Day
  label: string
  actions: TodoActions
}

/** A button that moves all `todos` to the day `to`. */
export function DateAll({ todos, to, label, actions }: DateAllProps) {
  const moveAll = () => {
    const [first] = dateAll(actions, todos, to)
    // Wait until the rows are in their new places.
    if (first) requestAnimationFrame(() => returnFocusToRow(first.id))
  }
  return (
    <Button variant="quiet" onClick={moveAll} className="-my-2 -mr-3 ml-auto text-ink-2">
      {label}
    </Button>
  )
}
