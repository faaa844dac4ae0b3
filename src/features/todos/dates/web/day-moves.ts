import type { Todo } from '#features/todos/todo/todo.ts'
import type { TodoActions } from '#features/todos/todo/web/todo-actions.ts'
import { focusNearbyRow, moveFocusFromRows, returnFocusToRow } from '#platform/browser/rows/row-focus.ts'
import { addDays, type Day } from '#platform/calendar/day.ts'
import { announce } from '#platform/ui/layout/announcer.tsx'
import { isUpcoming } from '../upcoming.ts'
import { offerSkip } from './due-actions.ts'
import { formatDay, inSentence } from './format-due.ts'
import { dueChanges, pickedDue } from './picked-due.ts'

/** Moves rows between days, on a page that groups its rows by day. */
export interface DayMoves {
  moveTo(todo: Todo, day: Day): void
  /** Moves to the next day, or to the previous one. */
  moveBy(todo: Todo, step: 1 | -1): void
}

/**
 * Moves a row of Upcoming to another day, where the row keeps the focus. If the row leaves the page, the next row gets the focus.
 */
export function dayMoves(actions: TodoActions): DayMoves {
  const moveTo = (todo: Todo, day: Day) => {
    if (day === todo.due_day) return
    const { id, title } = todo
    const { timeZone } = actions
    const today = actions.today()
    const changes = dueChanges(todo, { day, time: pickedDue(todo, timeZone)?.time ?? null }, timeZone)
    if (offerSkip(actions, todo, changes)) return
    const row = document.activeElement?.closest<HTMLElement>(`[data-row="${id}"]`)
    const stays = isUpcoming(today, { ...todo, due_day: day })
    if (row && !stays) focusNextTo(row)
    actions.announceRows([id])
    actions.edit(todo, changes)
    announce(`${title}, ${formatDay(day, today)}`)
    actions.offer(`Task moved to ${inSentence(formatDay(day, today))}`, todo)
    // Wait until the row is in its new place.
    if (row && stays) requestAnimationFrame(() => returnFocusToRow(id))
  }
  return {
    moveTo,
    moveBy: (todo, step) => todo.due_day !== null && moveTo(todo, addDays(todo.due_day, step)),
  }
}

/**
 * Moves the focus to the next row, even if that row belongs to another day; or else to the previous row or the heading of the
 * page.
 */
function focusNextTo(row: HTMLElement): void {
  const page = row.closest('main')
  if (focusNearbyRow(page, 1) ?? focusNearbyRow(page, -1)) return
  moveFocusFromRows((id) => id === row.dataset.row)
}
