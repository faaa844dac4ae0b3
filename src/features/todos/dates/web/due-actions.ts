import { settledOn } from '#features/todos/repeat/rule/settled-on.ts'
import { dueOf, movedPast } from '#features/todos/todo/shown-todo.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import { closeReminderOf } from '#features/todos/todo/web/close-reminder.ts'
import { titlesOf } from '#features/todos/todo/web/titles-of.ts'
import type { Settlement, TodoActions } from '#features/todos/todo/web/todo-actions.ts'
import type { TodoFields } from '#features/todos/todo/web/todo-queries.ts'
import type { Day } from '#platform/calendar/day.ts'
import { shortDay } from '#platform/format/short-day.ts'
import { counted } from '#platform/format/words.ts'
import { toast } from '#platform/ui/toasts/toast.ts'
import { formatDay, inSentence } from './format-due.ts'
import { dueChanges, pickedDue } from './picked-due.ts'

/**
 * Completes, skips or reopens an occurrence of a repeating to-do, and offers to undo that. `was`: the state before the change;
 * left out for an open occurrence.
 */
export function settleUndoably(
  { settle, offer, ...actions }: TodoActions,
  todo: Todo,
  day: Day,
  state: Settlement['state'],
  was: Settlement = { state: 'open', done_on: null },
): void {
  const today = actions.today()
  const open = dueOf(todo, undefined, today)?.open
  const due = open?.day === day ? open.due : day
  const done_on = settledOn(state, { was, due, today })
  settle(todo, day, { state, done_on }, { was: was.state, was_on: was.done_on })
  // The notification would remind of something that is no longer to be done.
  if (open?.day === day && state !== 'open') closeReminderOf(todo)
  offer(`${words[state]} ${shortDay(day, today)}`, todo)
}

const words = { done: 'Completed', skipped: 'Skipped', open: 'Reopened' } as const

/**
 * Returns whether a new due day is refused because the to-do's next occurrence is due by then. If so, tells the person, and
 * offers to skip the open occurrence instead.
 */
export function offerSkip(actions: TodoActions, todo: Todo, changes: Partial<TodoFields>): boolean {
  const today = actions.today()
  const past = movedPast(todo, changes, today)
  if (!past) return false
  const skip = () => {
    actions.announceRows([todo.id])
    settleUndoably(actions, todo, past.day, 'skipped')
  }
  toast(`This task comes back ${onDay(past.next, today)} anyway.`, {
    id: `past-${todo.id}`,
    description: todo.title,
    action: { label: 'Skip this time', onClick: skip },
  })
  return true
}

function onDay(day: Day, today: Day): string {
  const words = formatDay(day, today)
  return words === 'Tomorrow' ? 'tomorrow' : `on ${words}`
}

/**
 * Sets the due day of several to-dos; null removes it. Leaves out repeating to-dos if their next occurrence is due by the new
 * day, or if their day would be removed. Returns the to-dos that were changed. `remark` says how many were left out; a toast does
 * otherwise.
 */
export function dateAll(
  { timeZone, edit, offer, ...actions }: TodoActions,
  todos: readonly Todo[],
  to: Day | null,
  remark?: (text: string) => void,
): readonly Todo[] {
  const today = actions.today()
  const dating = todos
    .filter((todo) => (to === null ? todo.repeat === null : !movedPast(todo, { due_day: to }, today)))
    .map((todo) => {
      const chosen = to && { day: to, time: pickedDue(todo, timeZone)?.time ?? null }
      return { todo, dates: dueChanges(todo, chosen, timeZone) }
    })
    .filter(({ dates }) => Object.keys(dates).length > 0)
  const dated = dating.map(({ todo }) => todo)
  const staying = todos.filter((todo) => todo.due_day !== to && !dated.includes(todo)).length
  const comingBack = staying > 0 && `${counted(staying, 'task')} will come back anyway.`
  const [first] = dated
  if (!first) {
    if (comingBack) (remark ?? toast)(comingBack)
    return []
  }
  actions.announceRows(dated.map(({ id }) => id))
  for (const { todo, dates } of dating) edit(todo, dates)
  const what = counted(dating.length, 'task')
  offer(
    to === null ? `Due date of ${what} removed` : `${what} moved to ${inSentence(formatDay(to, today))}`,
    first,
    { description: (!remark && comingBack) || titlesOf(dated) },
  )
  if (comingBack) remark?.(comingBack)
  return dated
}
