import { type Day, dayNumber } from '#platform/calendar/day.ts'
import { type RhythmRow, type RhythmSpan, spanOn, spansOf, type Target } from '../rhythm/rhythm.ts'
import { type AmountEntry, amountOf, type FocusedSession } from './amounts.ts'

// A habit whose unit is minutes counts what was focused on it. That is computed wherever its amounts are, and stored nowhere:
// so each session counts once, whichever device recorded it, and none after it was deleted or given to something else.

/** The unit of a target to which focus sessions count. In the dialog it is chosen. */
export const minutesUnit = 'minutes'

export function isInMinutes(target: Target): boolean {
  return target !== 'yes' && target.unit === minutesUnit
}

/** Whether sessions count on any day of it. */
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

/** The amounts of all days with an entry or with one of these sessions. */
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
