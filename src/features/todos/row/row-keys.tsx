import { type RefObject, useEffect, useEffectEvent } from 'react'
import { isPressed, type Shortcut, useShortcut, useSingleKeys } from '#platform/browser/keyboard/shortcuts.ts'
import { focusNearbyRow } from '#platform/browser/rows/row-focus.ts'
import { useStartTimer } from '#platform/browser/start-timer.ts'
import { parentOf } from '../todo/subtasks.ts'
import type { Todo } from '../todo/todo.ts'
import { isDeletion } from '../todo/web/delete-key.ts'
import {
  closeDetails,
  dueDateOfTask,
  editTask,
  listOfTask,
  nearbyTask,
  nextTask,
  openTask,
  priorityOfTask,
  subtaskOfTask,
  timerForTask,
} from '../todo/web/todo-shortcuts.ts'
import type { DetailsEntry } from './board-actions.ts'
import type { RowMenuRequest } from './row-actions.ts'

interface RowKeysProps {
  board: RefObject<HTMLElement | null>
  todos: readonly Todo[]
  /** The id of the to-do whose details are shown. */
  detailed: string | undefined
  closeDetails(): void
  showDetails(todo: Todo, at?: DetailsEntry['at']): void
  askForDates(todo: Todo, anchor: HTMLElement): void
  openMenu(request: RowMenuRequest): void
  /** Sets the next higher priority. After the highest comes no priority. */
  raisePriority(todo: Todo): void
  remove(todo: Todo): void
}

/** Handles keys on the checkbox or title of a row, with one listener for all rows. Renders nothing. */
export function RowKeys({
  board,
  todos,
  detailed,
  showDetails,
  closeDetails: leaveDetails,
  askForDates,
  openMenu,
  raisePriority,
  remove,
}: RowKeysProps) {
  const singleKeys = useSingleKeys()
  const startTimer = useStartTimer()
  const press = useEffectEvent((event: KeyboardEvent) => {
    const box = event.target
    if (!(box instanceof HTMLElement) || !box.matches('[data-row] :is([type=checkbox], [data-title])')) return
    const row = box.closest<HTMLElement>('[data-row]')
    const todo = todos.find(({ id }) => id === row?.dataset.row)
    if (!row || (event.repeat && !isPressed(nearbyTask, event) && !isPressed(nextTask, event))) return
    const is = (shortcut: Shortcut) => isPressed(shortcut, event)
    const isSingle = (shortcut: Shortcut) => singleKeys.on && is(shortcut)

    if (is(nearbyTask)) goOn(event.key === 'ArrowUp' ? -1 : 1)
    else if (isSingle(nextTask)) goOn(event.key.toLowerCase() === 'k' ? -1 : 1)
    // The row is not a to-do: the board also contains habits.
    else if (!todo) return
    else if (is(openTask)) showDetails(todo, 'title')
    else if (isDeletion(event)) remove(todo)
    else if (detailed !== undefined && is(closeDetails)) leaveDetails()
    else if (isSingle(editTask)) row.querySelector<HTMLElement>('[data-edit]')?.click()
    else if (isSingle(priorityOfTask)) raisePriority(todo)
    else if (isSingle(dueDateOfTask)) askForDates(todo, box)
    else if (isSingle(listOfTask) && !isSubtask(todo))
      openMenu({ todo, button: box, byKey: true, choosingList: true })
    else if (isSingle(subtaskOfTask) && todo.parent_id === null) showDetails(todo, 'new subtask')
    else if (isSingle(timerForTask) && todo.completed === 0) startTimer({ todo_id: todo.id })
    else return
    event.preventDefault()
  })

  function isSubtask(todo: Todo): boolean {
    return parentOf(todo, new Map(todos.map((each) => [each.id, each]))) !== undefined
  }

  function goOn(step: 1 | -1) {
    const row = focusNearbyRow(board.current, step)
    const todo = todos.find(({ id }) => id === row?.dataset.row)
    if (todo && detailed !== undefined) showDetails(todo)
  }

  // If the focus is outside the rows, the shortcut moves it to the first row.
  useShortcut(nextTask, () => goOn(1))
  useEffect(() => {
    const element = board.current
    if (!element) return
    const listener = (event: KeyboardEvent) => press(event)
    element.addEventListener('keydown', listener)
    return () => element.removeEventListener('keydown', listener)
  }, [board])
  return null
}
