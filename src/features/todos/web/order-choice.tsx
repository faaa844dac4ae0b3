import { useId } from 'react'
import { storedChoice, useStoredChoice } from '#platform/browser/stored-choice.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Segments } from '#platform/ui/controls/segments.tsx'
import type { Todo } from '../todo.ts'

export const orderChoice = storedChoice('daymark-todo-order', ['newest', 'due'])

const orders = [
  { value: 'newest', label: 'Newest' },
  { value: 'due', label: 'Due date' },
] as const

/**
 * There is something to choose once one of the open to-dos has a due date. Its space is reserved until then, so that
 * the first due date moves nothing.
 */
export function OrderChoice({ todos }: { todos: readonly Todo[] }) {
  const order = useStoredChoice(orderChoice)
  const label = useId()
  const anyDue = todos.some(({ completed, due_day }) => completed === 0 && due_day !== null)
  return (
    <div className={cn(!anyDue && 'invisible')}>
      <span id={label} className="sr-only">
        Sort tasks by
      </span>
      <Segments
        aria-labelledby={label}
        options={orders}
        value={order}
        onChange={orderChoice.write}
        className="max-sm:[&>label]:px-1.5"
      />
    </div>
  )
}
