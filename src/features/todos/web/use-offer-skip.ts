import { useToday, useUserCalendar } from '#platform/browser/user-calendar.tsx'
import type { Day } from '#platform/calendar/day.ts'
import { useOfferUndo } from '#platform/sync/react/offer-undo.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'
import { toast } from '#platform/ui/overlays/toast.ts'
import { movedPast } from '../shown-todo.ts'
import type { Todo } from '../todo.ts'
import { formatDay } from './format-due.ts'
import { settleUndoably } from './settle-undoably.ts'
import type { TodoFields } from './todo-queries.ts'

/**
 * Before a change of the due day: answers whether it cannot be, because the to-do comes back before that. Then the person has been
 * told, and can skip the occurrence instead.
 */
export function useOfferSkip(): (todo: Todo, changes: Partial<TodoFields>) => boolean {
  const { timeZone, dayStart } = useUserCalendar()
  const today = useToday()
  const write = useWrite()
  const offerUndo = useOfferUndo()
  const { changes: history } = useSync()
  return (todo, changes) => {
    const past = movedPast(todo, changes, today)
    if (!past) return false
    const skip = () => {
      history.announceRows([todo.id])
      settleUndoably({ write, offerUndo, timeZone, dayStart }, todo, past.day, 'skipped')
    }
    toast(`This task comes back ${onDay(past.next, today)} anyway.`, {
      id: `past-${todo.id}`,
      description: todo.title,
      action: { label: 'Skip this time', onClick: skip },
    })
    return true
  }
}

function onDay(day: Day, today: Day): string {
  const words = formatDay(day, today)
  return words === 'Tomorrow' ? 'tomorrow' : `on ${words}`
}
