import { addDays, type Day, dayOf, type Instant, instantFromWire } from '#platform/calendar/day.ts'
import { ruleOf } from '../repeat/rule/repeat-rule.ts'
import { isOfSeries, seriesFrom } from '../repeat/rule/series.ts'
import { dueOf } from '../todo/shown-todo.ts'
import type { Todo } from '../todo/todo.ts'
import { instantBefore, type TodoReminder } from '../todo/todo-reminder.ts'

/**
 * What a reminder is about. `day` is an occurrence of a repeating to-do, or the due day of any other; `at` is when the reminder
 * comes.
 */
export interface RemindedOf {
  day: Day
  at: Instant
}

/** The first reminder after the instant `after`, for an occurrence or due day that is not done; undefined if there is none. */
export function nextReminderOf(
  todo: Todo,
  reminder: TodoReminder,
  { after, zone }: { after: Instant; zone: string },
): RemindedOf | undefined {
  const of = (day: Day, due: Day) => ({ day, at: instantBefore(due, reminder, zone) })
  const rule = ruleInUse(todo)
  const settled = new Map((todo.settled ?? []).map((row) => [row.day, row]))
  // Skip an occurrence whose state changed after its reminder: a person who reopens an occurrence has not forgotten it.
  const isAhead = ({ day, at }: RemindedOf) => {
    const row = settled.get(day)
    return at > after && !(row && instantFromWire(row.at) >= at)
  }
  if (!rule) {
    const next = todo.due_day === null ? undefined : of(todo.due_day, todo.due_day)
    return next && next.at > after ? next : undefined
  }
  const today = dayOf(after, zone, 0)
  if (rule.mode === 'done') {
    const open = dueOf(todo, undefined, today)?.open
    const next = open && of(open.day, open.due)
    return next && isAhead(next) ? next : undefined
  }
  const moved = [...settled.values()]
    .flatMap(({ day, state, moved_to }) => (state === 'open' && moved_to !== null ? [of(day, moved_to)] : []))
    .filter(isAhead)
  let following: RemindedOf | undefined
  for (const day of seriesFrom(rule, addDays(today, reminder.days_before - 1))) {
    const row = settled.get(day)
    if (row && (row.state !== 'open' || row.moved_to !== null)) continue
    following = of(day, day)
    if (isAhead(following)) break
  }
  const candidates = following && isAhead(following) ? [...moved, following] : moved
  return candidates.toSorted((one, other) => one.at - other.at)[0]
}

/** When the reminder of an occurrence or a due day comes; undefined if that occurrence or due day is done or no longer exists. */
export function reminderOfDay(
  todo: Todo,
  reminder: TodoReminder,
  day: Day,
  zone: string,
): Instant | undefined {
  const due = remindedDay(todo, day)
  return due === undefined ? undefined : instantBefore(due, reminder, zone)
}

/**
 * The day on which a reminded occurrence is due, after any move; undefined if the occurrence or due day is done or no longer
 * exists.
 */
export function remindedDay(todo: Todo, day: Day): Day | undefined {
  const rule = ruleInUse(todo)
  if (!rule) return !todo.completed && todo.due_day === day ? day : undefined
  const row = todo.settled?.find((each) => each.day === day)
  if (row && row.state !== 'open') return undefined
  const due = row?.moved_to ?? day
  if (rule.mode === 'done') return dueOf(todo, undefined, day)?.open?.day === day ? due : undefined
  return isOfSeries(rule, day) ? due : undefined
}

/** The repeat rule that applies to the to-do, if any. A subtask's own rule has no effect. */
function ruleInUse({ repeat, parent_id }: Todo) {
  return repeat === null || parent_id !== null ? undefined : ruleOf(repeat)
}
