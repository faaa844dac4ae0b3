import { returnFocusToRow } from '#platform/browser/row-focus.ts'
import { useUserCalendar } from '#platform/browser/user-calendar.tsx'
import { type Day, dayOf, instantToWire } from '#platform/calendar/day.ts'
import { useOfferUndo } from '#platform/sync/react/offer-undo.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'
import { toast } from '#platform/ui/overlays/toast.ts'
import { movedBy, movedPast } from '../shown-todo.ts'
import type { Todo } from '../todo.ts'
import { counted } from './counted.ts'
import { formatDay, inSentence } from './format-due.ts'
import { editTodo, todoList } from './todo-queries.ts'

/** Gives several to-dos another due day. What comes back by itself by then stays as it is. */
export function useDateAll(): (todos: readonly Todo[], to: Day) => void {
  const write = useWrite()
  const offerUndo = useOfferUndo()
  const { changes } = useSync()
  const { timeZone, dayStart } = useUserCalendar()
  return (todos, to) => {
    const now = Date.now()
    const today = dayOf(now, timeZone, dayStart)
    const dates = { due_day: to }
    const moving = todos.filter((todo) => !movedPast(todo, dates, today))
    const [first] = moving
    const rest = todos.length - moving.length
    const comingBack = rest === 0 ? '' : `${counted(rest, 'task')} will come back anyway.`
    if (!first) return toast(comingBack)
    changes.announceRows(moving.map(({ id }) => id))
    for (const todo of moving) {
      const { id, title } = todo
      const moved = movedBy(todo, dates, today)
      void write(editTodo, { id, changes: dates, title, at: instantToWire(now), ...moved })
    }
    offerUndo(`${counted(moving.length, 'task')} moved to ${inSentence(formatDay(to, today))}`, {
      row: { list: todoList.name, subject: first.id },
      description: comingBack || first.title,
    })
    // After the rows are in their new places.
    requestAnimationFrame(() => returnFocusToRow(first.id))
  }
}
