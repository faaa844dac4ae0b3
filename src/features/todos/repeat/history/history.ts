import { dueOf } from '#features/todos/todo/shown-todo.ts'
import type { Todo } from '#features/todos/todo/todo.ts'
import type { Day } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import type { Occurrence } from '../rule/repeat.ts'
import { ruleOf } from '../rule/repeat-rule.ts'
import { seriesFrom } from '../rule/series.ts'

// The history of a repeating to-do, day by day, as its details show it.

/** `coming`: due later than the open occurrence. `unknown`: was due, but only the server knows its state. */
export type DayState = 'done' | 'skipped' | 'missed' | 'due' | 'coming' | 'unknown'

export interface PastOrComing extends Pick<Occurrence, 'done_on' | 'moved_to'> {
  state: DayState
}

/** The days of a range on which the to-do was done, skipped or due. `read`: the server's occurrences before `settled_from`. */
export function historyOf(
  todo: Todo,
  { read, range, today }: { read: readonly Occurrence[] | undefined; range: DayRange; today: Day },
): ReadonlyMap<Day, PastOrComing> {
  const rule = todo.repeat && ruleOf(todo.repeat)
  if (!rule) return new Map()
  const { settled = [], settled_from } = todo
  const rows = new Map<Day, Occurrence>(read?.map((row) => [row.day, row]))
  for (const row of settled) {
    if (!settled_from || row.day >= settled_from || !read) rows.set(row.day, row)
  }
  const open = dueOf(todo, undefined, today)?.open?.day
  const isKnown = (day: Day) => !settled_from || day >= settled_from || read !== undefined
  const days = new Map<Day, PastOrComing>()
  const isIn = (day: Day) => day >= range.from && day <= range.to
  const add = (day: Day, state: DayState) => {
    const { done_on = null, moved_to = null } = rows.get(day) ?? {}
    days.set(day, { state, done_on, moved_to })
  }

  for (const { day, state } of rows.values()) {
    if (state !== 'open' && isIn(day)) add(day, state)
  }
  if (rule.mode === 'due') {
    for (const day of seriesFrom(rule, range.from)) {
      if (day > range.to) break
      if (days.has(day)) continue
      if (open !== undefined && day > open) add(day, 'coming')
      else add(day, isKnown(day) ? 'missed' : 'unknown')
    }
  }
  if (open !== undefined && isIn(open)) add(open, 'due')
  return days
}

/** Whether only the server knows the state of some occurrences since `first`. */
export function hasEarlier({ repeat, settled_from, created_at }: Todo, first: Day): boolean {
  const rule = repeat && ruleOf(repeat)
  if (!rule || !settled_from || settled_from <= first) return false
  return rule.from < settled_from || created_at.slice(0, 10) < settled_from
}
