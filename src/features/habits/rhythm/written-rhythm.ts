import type { Instant } from '#platform/calendar/day.ts'
import { type Frequency, type RhythmRow, rhythmChangedBy, rhythmOfFrequency } from './rhythm.ts'

/** A rhythm row as it is stored, with the instants that decide which write counts. */
export interface WrittenRhythm extends RhythmRow {
  rhythm_at: Instant
  /** The frequency that a client of the specification wrote; null if there is none. */
  frequency: Frequency | null
  frequency_at: Instant
}

/**
 * The rows as the rules use them. A frequency that was written after the rhythm changes nothing if the rhythm already corresponds
 * to it; otherwise it replaces the rhythm with the specification's Daily or Weekly. This is decided here and not on writing, so
 * the order in which writes arrive makes no difference. The first row holds for all days before it, so its parts are never null.
 */
export function readRhythms(written: readonly WrittenRhythm[]): RhythmRow[] {
  const rows = written.toSorted((a, b) => (a.from_day < b.from_day ? -1 : 1))
  let rhythm = rows.find((row) => row.rhythm !== null)?.rhythm ?? rhythmOfFrequency('daily')
  let target = rows.find((row) => row.target !== null)?.target ?? 'yes'
  return rows.map((row, place) => {
    target = row.target ?? target
    const before = row.rhythm ?? rhythm
    const isLater = row.rhythm === null || row.frequency_at > row.rhythm_at
    const changed =
      row.frequency !== null && isLater ? rhythmChangedBy(row.frequency, { rhythm: before, target }) : null
    rhythm = changed ?? before
    const isGiven = place === 0 || row.rhythm !== null || changed !== null
    return {
      from_day: row.from_day,
      rhythm: isGiven ? rhythm : null,
      target: place === 0 ? target : row.target,
    }
  })
}
