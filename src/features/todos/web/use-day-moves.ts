import { focusNearbyRow, moveFocusFromRows, returnFocusToRow } from '#platform/browser/row-focus.ts'
import { useToday, useUserCalendar } from '#platform/browser/user-calendar.tsx'
import { addDays, type Day, instantToWire } from '#platform/calendar/day.ts'
import { useOfferUndo } from '#platform/sync/react/offer-undo.ts'
import { useSync } from '#platform/sync/react/sync-context.ts'
import { useWrite } from '#platform/sync/react/use-collection.ts'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { movedBy } from '../shown-todo.ts'
import type { Todo } from '../todo.ts'
import { isUpcoming } from '../upcoming.ts'
import type { DayMoves } from './day-moves.ts'
import { formatDay, inSentence } from './format-due.ts'
import { dueChanges, pickedDue } from './picked-due.ts'
import { editTodo, todoList } from './todo-queries.ts'
import { useOfferSkip } from './use-offer-skip.ts'

/** Moves a row of Upcoming to another day, where it keeps the focus. If it leaves the page, the next row has it. */
export function useDayMoves(): DayMoves {
  const today = useToday()
  const { timeZone } = useUserCalendar()
  const write = useWrite()
  const offerUndo = useOfferUndo()
  const offerSkip = useOfferSkip()
  const { changes: history } = useSync()
  const moveTo = (todo: Todo, day: Day) => {
    if (day === todo.due_day) return
    const { id, title } = todo
    const changes = dueChanges(todo, { day, time: pickedDue(todo, timeZone)?.time ?? null }, timeZone)
    if (offerSkip(todo, changes)) return
    const row = document.activeElement?.closest<HTMLElement>(`[data-row="${id}"]`)
    const stays = isUpcoming(today, { ...todo, due_day: day })
    if (row && !stays) focusNextTo(row)
    history.announceRows([id])
    void write(editTodo, {
      ...{ id, changes, title, at: instantToWire(Date.now()) },
      ...movedBy(todo, changes, today),
    })
    announce(`${title}, ${formatDay(day, today)}`)
    offerUndo(`Task moved to ${inSentence(formatDay(day, today))}`, {
      row: { list: todoList.name, subject: id },
      description: title,
    })
    // After the row is in its new place.
    if (row && stays) requestAnimationFrame(() => returnFocusToRow(id))
  }
  return {
    moveTo,
    moveBy: (todo, step) => todo.due_day !== null && moveTo(todo, addDays(todo.due_day, step)),
  }
}

/** To the row below it, on whatever day, or to the one above, or to the heading of the page. */
function focusNextTo(row: HTMLElement): void {
  const page = row.closest('main')
  if (focusNearbyRow(page, 1) ?? focusNearbyRow(page, -1)) return
  moveFocusFromRows((id) => id === row.dataset.row)
}
