import type { Day } from '#platform/calendar/day.ts'
import type { SettledDay } from '../repeat/rule/occurrences.ts'
import { type Due, dueNow, type Known, timesDone } from '../repeat/rule/repeat.ts'
import { ruleOf } from '../repeat/rule/repeat-rule.ts'
import { parentOf, parentsIn } from './subtasks.ts'
import type { Todo } from './todo.ts'

// How a repeating to-do appears on a given day. The server and the devices compute it in the same way, so a page left open over
// midnight is right without a connection.

/**
 * The to-do as it is on a day. A repeating to-do shows its open occurrence, and its subtask shows its state in that occurrence;
 * any other to-do is returned as the same object. `parent`: the stored to-do that this one is a subtask of.
 */
export function shownOn(todo: Todo, parent: Todo | undefined, today: Day): Todo {
  if (parent) return parent.repeat ? shownBelow(todo, parent, today) : todo
  const rule = todo.repeat && ruleOf(todo.repeat)
  if (!todo.repeat) return todo
  if (!rule) return { ...todo, ...stillOpen }
  const { open, missedInAll } = dueNow(rule, knownOf(todo), today)
  const shown = { ...todo, due_day: open?.due ?? null, missed: missedInAll }
  return open ? { ...shown, ...stillOpen } : { ...shown, ...ended(todo) }
}

const stillOpen = { completed: 0, completed_at: null } as const

/** When the series ended: the instant at which its last occurrence was settled. */
function ended(todo: Todo): Pick<Todo, 'completed' | 'completed_at'> {
  return { completed: 1, completed_at: lastSettled(todo)?.at ?? todo.updated_at }
}

function lastSettled({ settled = [] }: Todo): SettledDay | undefined {
  return settled.reduce<SettledDay | undefined>(
    (latest, each) => (each.state !== 'open' && (!latest || each.at > latest.at) ? each : latest),
    undefined,
  )
}

function shownBelow(todo: Todo, parent: Todo, today: Day): Todo {
  const due = dueOf(todo, parent, today)
  if (due && !due.open) return { ...todo, ...ended(parent) }
  const row = todo.settled?.find(({ day }) => day === due?.open?.day)
  return row?.state === 'done' ? { ...todo, completed: 1, completed_at: row.at } : { ...todo, ...stillOpen }
}

/** What is known of a to-do's occurrences, in the form that `dueNow` takes. */
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

/** The occurrence that a change of the due day moves, to be sent with the write. */
export function movedBy(
  todo: Todo,
  { due_day, repeat }: Partial<Pick<Todo, 'due_day' | 'repeat'>>,
  today: Day,
): { occurrence?: Day } {
  if (due_day === undefined || repeat !== undefined || todo.parent_id !== null) return {}
  const day = dueOf(todo, undefined, today)?.open?.day
  return day === undefined ? {} : { occurrence: day }
}

/**
 * Why a new due day is not allowed: the open occurrence, `day`, cannot be moved to or past the next one, which comes anyway.
 * Undefined if the change is allowed.
 */
export function movedPast(
  todo: Todo,
  changes: Partial<Pick<Todo, 'due_day' | 'repeat'>>,
  today: Day,
): { day: Day; next: Day } | undefined {
  const rule = todo.repeat && ruleOf(todo.repeat)
  const { occurrence } = movedBy(todo, changes, today)
  if (rule?.mode !== 'due' || !occurrence || !changes.due_day) return undefined
  const next = dueOf(todo, undefined, today)?.next
  return next !== undefined && changes.due_day >= next ? { day: occurrence, next } : undefined
}

/**
 * All to-dos of a person as they are on a day, whatever day they were read on. Returns the same array if none repeats, and the same
 * one again for the same array: several components show it.
 */
export function allShownOn(todos: readonly Todo[], today: Day): readonly Todo[] {
  let known = allShown.get(todos)
  if (known?.today !== today) {
    known = { today, shown: todos }
    if (todos.some(({ repeat }) => repeat)) {
      const parents = parentsIn(todos)
      known.shown = todos.map((todo) => shownOn(todo, parentOf(todo, parents), today))
    }
    allShown.set(todos, known)
  }
  return known.shown
}

const allShown = new WeakMap<readonly Todo[], { today: Day; shown: readonly Todo[] }>()

/**
 * The occurrence that completing the to-do settles, or that reopening it reopens: the one settled last. Undefined if there is
 * none.
 */
export function occurrenceToSet(
  todo: Todo,
  parent: Todo | undefined,
  { completed, today }: { completed: boolean; today: Day },
): Day | undefined {
  if (completed || parent) return dueOf(todo, parent, today)?.open?.day
  return lastSettled(todo)?.day
}

/** How often the to-do was done since the first day of its rule; 0 if it does not repeat. */
export function doneSinceFirst(todo: Todo): number {
  const rule = todo.repeat && ruleOf(todo.repeat)
  return rule ? timesDone(rule, knownOf(todo)) : 0
}

/** What is due of a to-do or, for a subtask, of its parent; undefined if that to-do does not repeat. */
export function dueOf(todo: Todo, parent: Todo | undefined, today: Day): Due | undefined {
  const repeating = parent ?? todo
  const rule = repeating.repeat && ruleOf(repeating.repeat)
  return rule ? dueNow(rule, knownOf(repeating), today) : undefined
}
