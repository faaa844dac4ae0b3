import { type Day, instantFromWire } from '#platform/calendar/day.ts'
import { type AmountEntry, amountOf, type FocusedSession } from '../amounts/amounts.ts'
import type { Habit } from './habit.ts'

// A habit's amounts, as far as a device knows them: from entries and sessions, or, on days whose entries it lacks, from the day's
// total.

type KnownAmounts = Pick<Habit, 'earlier' | 'amounts' | 'entries' | 'sessions'>

/** The amounts of all days since `earlier.from` with an entry or a session that counts. */
export function amountsOf(facts: KnownAmounts): Map<Day, number> {
  const found = new Map(facts.amounts.map(({ day, amount }) => [day, amount]))
  const isSince = ({ day }: { day: Day }) => day >= facts.earlier.from
  const entriesOf = Map.groupBy(facts.entries.filter(isSince), ({ day }) => day)
  const sessionsOf = Map.groupBy(facts.sessions.filter(isSince), ({ day }) => day)
  for (const day of new Set([...entriesOf.keys(), ...sessionsOf.keys()])) {
    const total = found.get(day)
    const sessions = total === undefined ? (sessionsOf.get(day) ?? []).map(focusedSessionOf) : []
    const amount = amountOf(onTopOf(total, entriesOf.get(day) ?? []), sessions)
    if (amount !== null) found.set(day, amount)
  }
  return found
}

/** The known entries of a day. If only the amount of a day is known, it counts as an entry with an empty id. */
export function entriesOn({ amounts, entries }: KnownAmounts, day: Day): AmountEntry[] {
  return onTopOf(
    amounts.find((of) => of.day === day)?.amount,
    entries.filter((entry) => entry.day === day),
  )
}

/** The sessions that count on a day. Empty if only the day's amount is known, since that already contains them. */
export function sessionsOn({ amounts, sessions }: KnownAmounts, day: Day): FocusedSession[] {
  if (amounts.some((of) => of.day === day)) return []
  return sessions.filter((session) => session.day === day).map(focusedSessionOf)
}

function focusedSessionOf({ at, ...session }: Habit['sessions'][number]): FocusedSession {
  return { ...session, at: instantFromWire(at), deleted: false }
}

function onTopOf(amount: number | undefined, entries: Habit['entries']): AmountEntry[] {
  const known = entries.map(({ id, value, set, settles, at }) => ({
    id,
    value,
    set,
    settles,
    at: instantFromWire(at),
    deleted: false,
  }))
  if (amount === undefined) return known
  return [{ id: '', value: amount, set: true, settles: [], at: 0, deleted: false }, ...known]
}
