import { type Day, dayNumber } from '#platform/calendar/day.ts'
import { type RhythmRow, type RhythmSpan, spanOn, spansOf, type Target } from '../rhythm/rhythm.ts'
import { type AmountEntry, amountOf, type FocusedSession } from './amounts.ts'

// If the unit of a habit is minutes, its focus sessions count. Their minutes are computed whenever amounts are read, and stored
// nowhere. So each session counts once, whichever device recorded it, and stops counting when it is deleted or given to something
// else.

/** The unit of a target to which focus sessions count. In the dialog, people choose 'Time it' instead of typing it. */
export const minutesUnit = 'minutes'

export function isInMinutes(target: Target): boolean {
  return target !== 'yes' && target.unit === minutesUnit
}

/** Whether focus sessions count on any day of the habit. */
export function hasMinutes(rows: readonly RhythmRow[]): boolean {
  return rows.some(({ target }) => target !== null && isInMinutes(target))
}

/** The sessions on days whose target is in minutes. */
export function countedSessions<Session extends { day: Day }>(
  rows: readonly RhythmRow[],
  sessions: readonly Session[],
): Session[] {
  if (sessions.length === 0 || !hasMinutes(rows)) return []
  const spans = spansOf(rows)
  return sessions.filter(({ day }) => isMinutesDay(spans, dayNumber(day)))
}

export function isMinutesDay(spans: readonly RhythmSpan[], day: number): boolean {
  return isInMinutes(spanOn(spans, day).target)
}

/** The amount of each day that has an entry or a session. */
export function amountsByDay(
  entries: readonly (AmountEntry & { day: Day })[],
  sessions: readonly FocusedSession[],
): Map<Day, number> {
  const entriesOn = Map.groupBy(entries, ({ day }) => day)
  const sessionsOn = Map.groupBy(sessions, ({ day }) => day)
  const amounts = new Map<Day, number>()
  for (const day of new Set([...entriesOn.keys(), ...sessionsOn.keys()])) {
    const amount = amountOf(entriesOn.get(day) ?? [], sessionsOn.get(day) ?? [])
    if (amount !== null) amounts.set(day, amount)
  }
  return amounts
}
