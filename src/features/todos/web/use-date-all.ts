import { useUserCalendar } from '#platform/browser/user-calendar.tsx'
import { type Day, dayOf, instantToWire } from '#platform/calendar/day.ts'
import { counted } from '#platform/format/words.ts'
import { useOfferUndo } from '#platform/sync/react/offer-undo.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'
import { toast } from '#platform/ui/overlays/toast.ts'
import { movedBy, movedPast } from '../shown-todo.ts'
import type { Todo } from '../todo.ts'
import { formatDay, inSentence } from './format-due.ts'
import { dueChanges, pickedDue } from './picked-due.ts'
import { titlesOf } from './titles-of.ts'
import { editTodo, todoList } from './todo-queries.ts'

/**
 * Gives several to-dos another due day, or none; null is none. What comes back by itself by then, or cannot be without a day, stays as
 * it is. Answers which were changed.
 */
export function useDateAll(): (todos: readonly Todo[], to: Day | null) => readonly Todo[] {
  const write = useWrite()
  const offerUndo = useOfferUndo()
  const { changes } = useSync()
  const { timeZone, dayStart } = useUserCalendar()
  return (todos, to) => {
    const now = Date.now()
    const today = dayOf(now, timeZone, dayStart)
    const dating = todos
      .filter((todo) => (to === null ? todo.repeat === null : !movedPast(todo, { due_day: to }, today)))
      .map((todo) => {
        const chosen = to && { day: to, time: pickedDue(todo, timeZone)?.time ?? null }
        return { todo, dates: dueChanges(todo, chosen, timeZone) }
      })
      .filter(({ dates }) => Object.keys(dates).length > 0)
    const staying = todos.filter(
      (todo) => todo.due_day !== to && dating.every((each) => each.todo !== todo),
    ).length
    const comingBack = staying > 0 && `${counted(staying, 'task')} will come back anyway.`
    const [first] = dating
    if (!first) {
      if (comingBack) toast(comingBack)
      return []
    }
    changes.announceRows(dating.map(({ todo }) => todo.id))
    for (const { todo, dates } of dating) {
      const { id, title } = todo
      void write(editTodo, {
        ...{ id, changes: dates, title, at: instantToWire(now) },
        ...movedBy(todo, dates, today),
      })
    }
    const what = counted(dating.length, 'task')
    offerUndo(
      to === null ? `Due date of ${what} removed` : `${what} moved to ${inSentence(formatDay(to, today))}`,
      {
        row: { list: todoList.name, subject: first.todo.id },
        description: comingBack || titlesOf(dating.map(({ todo }) => todo)),
      },
    )
    return dating.map(({ todo }) => todo)
  }
}
