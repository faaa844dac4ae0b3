import { hasMinutes } from '#features/habits/amounts/minutes.ts'
import type { StoredEntry } from '#features/habits/amounts/server/entry-store.ts'
import { listedNumbersOf, nameOfSummary, sumUpTrack } from '#features/habits/past/habit-summary.ts'
import type { SummedHabit } from '#features/habits/past/server/habit-summary-store.ts'
import { isCompletedOn, statesOf } from '#features/habits/rhythm/day-state.ts'
import { type HabitTrack, isDoneDay } from '#features/habits/rhythm/habit-track.ts'
import { frequencyOf, rhythmOn } from '#features/habits/rhythm/rhythm.ts'
import { addDays, type Day, dayFromNumber, dayNumber, instantToWire } from '#platform/calendar/day.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { Habit } from '../habit.ts'
import { habitRows } from './habit-rows.ts'

/** How many days' entries are sent, so that a device can take back the latest entry of a day. */
const daysOfEntries = 14
/**
 * How many days' entries and sessions are sent if focus sessions count. For these days, devices add up the sessions that they
 * know.
 */
const daysOfSessions = 30

/** The habit as it is sent. */
export function showHabit(
  row: Tables['habits'],
  { days, entries, sessions, track, earlier }: SummedHabit,
  today: Day,
): Habit {
  const firstRecent = addDays(today, -6)
  // One more day: on a device whose clock runs behind, it may still be yesterday, and the last seven days then begin a day
  // earlier.
  const beforeRecent = sumUpTrack(track, addDays(firstRecent, -1), earlier)
  const { from } = beforeRecent
  const { streaks, completionRate, strength } = listedNumbersOf(track, today, earlier)
  const { rhythm, target } = rhythmOn(days.rows, today)
  const since = doneSince(track, from, today)
  const firstSent = addDays(today, 1 - (hasMinutes(days.rows) ? daysOfSessions : daysOfEntries))
  // Earlier days may have been read for another habit. Leave them out: a habit looks the same, whatever it is read together with.
  const firstEntries = firstSent < earlier.from ? earlier.from : firstSent
  const recent = entries.filter(({ day }) => day >= firstEntries)
  const recentSessions = sessions.filter(({ day }) => day >= firstEntries)
  const shown = new Set([...recent, ...recentSessions].map(({ id }) => id))
  return {
    ...habitRows.toWire(row),
    start_date: days.startDay,
    chosen_start: { day: row.start_day, at: instantToWire(row.start_at) },
    frequency: frequencyOf(rhythm, target),
    rhythm,
    target,
    completed: isCompletedOn(track, today),
    today: stateOfToday(track, today),
    current_streak: streaks.current,
    longest_streak: streaks.longest,
    completion_rate: completionRate,
    strength,
    recent: since.filter((day) => day >= firstRecent && day <= today),
    earlier: {
      from,
      run: beforeRecent.run,
      longest: beforeRecent.records[streaks.unit],
      records: beforeRecent.records,
      strength: beforeRecent.strength,
      first_entry: beforeRecent.firstEntry,
      ...(beforeRecent.unarchived && { unarchived: beforeRecent.unarchived }),
      name: nameOfSummary(track, from),
    },
    since,
    rhythms: [...days.rows],
    skipped: daysOf(track.skipped, from),
    amounts: [...days.amounts]
      .filter(([day]) => day >= from)
      .map(([day, amount]) => ({ day, amount }))
      .sort(byDay),
    entries: recent.map((entry) => showEntry(entry, shown)).sort(byDayAndId),
    sessions: recentSessions
      .map(({ id, day, seconds, at }) => ({ id, day, seconds, at: instantToWire(at) }))
      .sort(byDayAndId),
  }
}

/** `shown` holds the ids in the response. `settles` leaves out other ids, which a device could not look up. */
function showEntry(
  { id, day, value, set, settles, at }: StoredEntry,
  shown: ReadonlySet<string>,
): Habit['entries'][number] {
  const named = set ? settles?.filter((each) => shown.has(each)) : []
  return { id, day, value, set, ...(named && { settles: named }), at: instantToWire(at) }
}

/** The written entry as the habit contains it. The habit leaves out old entries, so these are converted here. */
export function showWritten(entry: StoredEntry, { entries }: Habit): Habit['entries'][number] {
  return entries.find(({ id }) => id === entry.id) ?? showEntry(entry, new Set())
}

function stateOfToday(track: HabitTrack, today: Day): Habit['today'] {
  const [of] = statesOf(track, { from: today, to: today }, today)
  if (!of) throw new Error('A day without a state')
  return { state: of.state, amount: of.amount }
}

/** The days that were ticked, and the days on which the amount was reached. */
function doneSince(track: HabitTrack, from: Day, today: Day): Day[] {
  const now = dayNumber(today)
  const reached = [...track.amounts.keys()].filter((day) => isDoneDay(track, day, now))
  return daysOf(new Set([...track.done, ...reached]), from)
}

/** Sorted days from `from` on. */
function daysOf(numbers: ReadonlySet<number>, from: Day): Day[] {
  const first = dayNumber(from)
  return [...numbers]
    .filter((day) => day >= first)
    .sort((a, b) => a - b)
    .map(dayFromNumber)
}

function byDay(one: { day: Day }, other: { day: Day }): number {
  if (one.day === other.day) return 0
  return one.day < other.day ? -1 : 1
}

/** Breaks ties by id, so that the order is the same for every database. */
function byDayAndId(one: { id: string; day: Day }, other: { id: string; day: Day }): number {
  return byDay(one, other) || (one.id < other.id ? -1 : 1)
}
