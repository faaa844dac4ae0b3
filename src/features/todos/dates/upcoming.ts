import { addDays, type Day, daysFrom } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { ruleOf } from '../repeat/rule/repeat-rule.ts'
import { isOfSeries, seriesFrom } from '../repeat/rule/series.ts'
import { dueOf } from '../todo/shown-todo.ts'
import type { Todo } from '../todo/todo.ts'
import { timedFirst } from './timed-first.ts'

// Computes what is due in the next two weeks, day by day.

const daysAhead = 14

/** The days from tomorrow on. */
function upcomingRange(today: Day): DayRange {
  return { from: addDays(today, 1), to: addDays(today, daysAhead) }
}

export function isUpcoming(today: Day, { completed, due_day }: Todo): boolean {
  return completed === 0 && due_day !== null && isIn(upcomingRange(today), due_day)
}

export interface UpcomingDay {
  day: Day
  todos: Todo[]
  /** Repeating to-dos that come again on this day, after their open occurrence. Each has this day as its due day. */
  coming: Todo[]
}

/** The repeating to-dos that come again in the upcoming days: one copy per day, due on that day. */
export function comingAgain(todos: readonly Todo[], today: Day): Todo[] {
  return todos.flatMap((todo) => comingDays(todo, today).map((day) => ({ ...todo, due_day: day })))
}

/** Groups to-dos by upcoming day: the open ones by their due day, and those that come again. */
export function upcomingDays(
  { open, again }: { open: readonly Todo[]; again: readonly Todo[] },
  { today, timeZone, placeOf }: { today: Day; timeZone: string; placeOf: (todo: Todo) => Todo },
): UpcomingDay[] {
  const { from, to } = upcomingRange(today)
  const due = Map.groupBy(open, (todo) => placeOf(todo).due_day)
  const coming = Map.groupBy(again, ({ due_day }) => due_day)
  return daysFrom(from, to).map((day) => ({
    day,
    todos: (due.get(day) ?? []).toSorted(timedFirst(day, timeZone, placeOf)),
    coming: (coming.get(day) ?? []).toSorted(timedFirst(day, timeZone)),
  }))
}

/** The upcoming days on which a repeating to-do is due after its open occurrence, each once. */
function comingDays(todo: Todo, today: Day): Day[] {
  const rule = todo.repeat && ruleOf(todo.repeat)
  const open = dueOf(todo, undefined, today)?.open
  if (rule?.mode !== 'due' || !open) return []
  const range = upcomingRange(today)
  const rows = new Map(todo.settled?.map((row) => [row.day, row]))
  const days = new Set<Day>()
  const add = (day: Day) => {
    const row = rows.get(day)
    const due = row?.moved_to ?? day
    if (isIn(range, due) && (!row || row.state === 'open')) days.add(due)
  }
  for (const day of seriesFrom(rule, addDays(open.day, 1))) {
    if (day > range.to) break
    add(day)
  }
  // An occurrence after the range may have been moved to a day in the range.
  for (const { day } of rows.values()) {
    if (day > range.to && day > open.day && isOfSeries(rule, day)) add(day)
  }
  return [...days].sort()
}

function isIn({ from, to }: DayRange, day: Day): boolean {
  return day >= from && day <= to
}
