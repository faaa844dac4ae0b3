import type { Day } from '#platform/calendar/day.ts'
import type { SettledDay } from '../repeat/rule/occurrences.ts'
import type { Todo } from './todo.ts'

/**
 * The to-do as shown after a change to one of its occurrences, until the server has responded. `before`: the occurrence's former
 * state, if known.
 */
export function changedOccurrence(
  todo: Todo,
  day: Day,
  change: Partial<Omit<SettledDay, 'day'>> & { at: string },
  before?: SettledDay['state'],
): Todo {
  const { settled = [], settled_from, missed_before = 0, done_before = 0 } = todo
  const was = settled.find((each) => each.day === day)
  const nothing = { state: 'open', done_on: null, moved_to: null } as const
  const is = { ...nothing, ...was, day, ...change }
  const known = [...settled.filter((each) => each !== was), is].toSorted(byDay)
  const changed = { ...todo, updated_at: change.at, settled: known }
  if (!settled_from || day >= settled_from) return changed
  // Occurrences before `settled_from` are summed up, so the former state may be unknown. Assume that an occurrence being reopened
  // was done.
  const state = was?.state ?? before ?? (change.state === 'open' ? 'done' : 'open')
  const [last] = settled
  const isLast = last === undefined || last.day >= settled_from || last.day <= day
  return {
    ...changed,
    settled: isLast ? known.filter((each) => each === is || each.day >= settled_from) : settled,
    missed_before: Math.max(0, missed_before + Number(is.state === 'open') - Number(state === 'open')),
    done_before: Math.max(0, done_before + Number(is.state === 'done') - Number(state === 'done')),
  }
}

function byDay(one: SettledDay, other: SettledDay): number {
  return one.day < other.day ? -1 : 1
}
