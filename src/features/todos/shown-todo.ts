import type { Day } from '#platform/calendar/day.ts'
import type { SettledDay } from './occurrences.ts'
import { dueNow, type Known } from './repeat.ts'
import { ruleOf } from './repeat-rule.ts'
import type { Todo } from './todo.ts'

// What a to-do that repeats shows on a day. The server and the devices compute it in the same way, so a page left open over
// midnight is right without a connection.

/**
 * The to-do as it is on a day: of one that repeats the occurrence that is open then, of a subtask what became of it in its parent's
 * occurrence. The same object for all others. `parent`: the to-do that it is a subtask of, as it is stored.
 */
export function shownOn(todo: Todo, parent: Todo | undefined, today: Day): Todo {
  if (parent) return parent.repeat ? shownBelow(todo, parent, today) : todo
  const rule = todo.repeat && ruleOf(todo.repeat)
  if (!todo.repeat) return todo
  if (!rule) return { ...todo, ...stillOpen }
  const { open, missed, missedEarlier } = dueNow(rule, knownOf(todo), today)
  const shown = { ...todo, due_day: open?.due ?? null, missed: missed.length + missedEarlier }
  return open ? { ...shown, ...stillOpen } : { ...shown, ...ended(todo) }
}

const stillOpen = { completed: 0, completed_at: null } as const

/** The series has ended with its last occurrence: when that was settled. */
function ended({ settled = [], updated_at }: Todo): Pick<Todo, 'completed' | 'completed_at'> {
  const last = settled.reduce<SettledDay | undefined>(
    (latest, each) => (each.state !== 'open' && (!latest || each.at > latest.at) ? each : latest),
    undefined,
  )
  return { completed: 1, completed_at: last?.at ?? updated_at }
}

function shownBelow(todo: Todo, parent: Todo, today: Day): Todo {
  const rule = parent.repeat && ruleOf(parent.repeat)
  const day = rule && dueNow(rule, knownOf(parent), today).open?.day
  if (rule && !day) return { ...todo, ...ended(parent) }
  const row = todo.settled?.find((each) => each.day === day)
  return row?.state === 'done' ? { ...todo, completed: 1, completed_at: row.at } : { ...todo, ...stillOpen }
}

/** What is known of a to-do's occurrences, as `dueNow` takes it. */
function knownOf({ settled = [], settled_from, done_before = 0, missed_before = 0 }: Todo): Known {
  if (!settled_from) return { occurrences: settled }
  return {
    occurrences: settled.filter(({ day }) => day >= settled_from),
    earlier: {
      before: settled_from,
      last: settled.find(({ day }) => day < settled_from) ?? null,
      done: done_before,
      missed: missed_before,
    },
  }
}

/** The day by which the open occurrence is known; undefined if there is none. `parent` as in `shownOn`. */
export function openDayOf(todo: Todo, parent: Todo | undefined, today: Day): Day | undefined {
  const repeating = parent ?? todo
  const rule = repeating.repeat && ruleOf(repeating.repeat)
  return rule ? dueNow(rule, knownOf(repeating), today).open?.day : undefined
}
