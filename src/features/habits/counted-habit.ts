import { type Day, dayNumber, dayOf, instantFromWire } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { WireOf } from '#platform/wire/synced-row.ts'
import { type AmountEntry, amountOf } from './amounts.ts'
import { isCompletedOn } from './day-state.ts'
import type { Habit } from './habit.ts'
import type { habitRow } from './habit-row.ts'
import {
  type HabitNumbers,
  type HabitSummary,
  nameOfSummary,
  numbersOf,
  resultsSince,
  sumUpTrack,
} from './habit-summary.ts'
import { type HabitDays, type HabitTrack, trackOf } from './habit-track.ts'
import type { PauseRow } from './pause.ts'
import { type Rhythm, type RhythmRow, rhythmOn, type Target } from './rhythm.ts'
import { noShares, type StrengthSum, strengthSum } from './strength.ts'

/** What the days before `from` add up to. Rows that were stored before there was a strength have none. */
export type EarlierFacts = Omit<Habit['earlier'], 'strength'> & {
  strength: Habit['earlier']['strength'] | null
}

/** One entry of an amount. `settles` is unknown of a set on a day whose other entries are. */
export type DayEntry = Omit<Habit['entries'][number], 'settles'> & { settles?: string[] | undefined }

/**
 * What is known about a habit, whatever day it is. The numbers that a person sees are computed from it for the current
 * day, so neither midnight nor an unsent change can leave an outdated number on the screen.
 */
export interface HabitFacts extends WireOf<typeof habitRow> {
  rhythms: RhythmRow[]
  earlier: EarlierFacts
  /** The days done since `earlier.from`, and those skipped. */
  since: Day[]
  skipped: Day[]
  /** The amounts of days whose entries are not here. */
  amounts: { day: Day; amount: number }[]
  entries: DayEntry[]
}

/** What decides which day it is, and which week. */
export interface HabitCalendar {
  timeZone: string
  dayStart: number
  weekStart: WeekStart
}

/** When and by what a habit is counted. */
export interface CountedFor {
  today: Day
  calendar: HabitCalendar
  /** Of this and other habits. */
  pauses: readonly PauseRow[]
}

export interface CountedHabit extends Pick<HabitNumbers, 'now'> {
  track: HabitTrack
  /** As they hold today. */
  rhythm: Rhythm
  target: Target
  completed: boolean
  /** Undefined while what came earlier is unknown: it was summed up for another rhythm. The same of `strength`. */
  streaks: HabitNumbers['streaks'] | undefined
  strength: number | null | undefined
}

/** What the server would return for the habit on that day, computed here. */
export function countHabit(facts: HabitFacts, counted: CountedFor): CountedHabit {
  const { today } = counted
  const { track, isKnown } = trackOfFacts(facts, counted)
  const { streaks, strength, now } = numbersOf(track, today, summaryOf(facts.earlier))
  return {
    track,
    ...rhythmOn(facts.rhythms, today),
    completed: isCompletedOn(track, today),
    streaks: isKnown ? streaks : undefined,
    strength: isKnown && facts.earlier.strength ? strength : undefined,
    now,
  }
}

/** How the strength that is shown was summed. */
export function strengthOfFacts(facts: HabitFacts, track: HabitTrack, today: Day): StrengthSum {
  const summary = summaryOf(facts.earlier)
  return strengthSum(track, resultsSince(track, today, summary), dayNumber(today), summary.strength)
}

/** With the pauses that concern it, in weeks as its earlier days were summed up in. */
function trackOfFacts(facts: HabitFacts, { calendar, pauses }: CountedFor) {
  const track = trackOf(daysOfFacts(facts, calendar, pauses), facts.earlier.first_entry)
  const weekStart = weekStartOfSum(facts, track)
  return {
    track: weekStart === undefined ? track : { ...track, weekStart },
    isKnown: weekStart !== undefined,
  }
}

/** All that is known of its days. */
export function daysOfFacts(
  facts: HabitFacts,
  { timeZone, dayStart, weekStart }: HabitCalendar,
  pauses: readonly PauseRow[],
): HabitDays {
  const { archived_at, skipped, since } = facts
  return {
    rows: facts.rhythms,
    startDay: facts.start_date,
    archivedOn: archived_at === null ? null : dayOf(instantFromWire(archived_at), timeZone, dayStart),
    states: new Map([
      ...skipped.map((day) => [day, 'skipped'] as const),
      ...since.map((day) => [day, 'done'] as const),
    ]),
    amounts: amountsOf(facts),
    pauses: pausesOf(facts, pauses),
    weekStart,
  }
}

/** The pauses of today, of the habit and of all habits. */
export function pausesOn(habit: Pick<HabitFacts, 'id'>, { today, pauses }: CountedFor): PauseRow[] {
  return pausesOf(habit, pauses).filter(
    ({ from_day, to_day }) => from_day <= today && (to_day === null || today <= to_day),
  )
}

function pausesOf({ id }: Pick<HabitFacts, 'id'>, pauses: readonly PauseRow[]): PauseRow[] {
  return pauses.filter(({ habit_id }) => habit_id === null || habit_id === id)
}

/**
 * Weeks begin where they began when the earlier days were summed up: right after the week start was changed, a row stays
 * with the old weeks, complete and consistent, until it is read again. Undefined: they were summed up for something else.
 */
function weekStartOfSum(
  { earlier, start_date }: HabitFacts,
  track: HabitTrack,
): HabitTrack['weekStart'] | undefined {
  // There is nothing earlier.
  if (start_date >= earlier.from) return track.weekStart
  return [track.weekStart, ...everyWeekStart].find(
    (weekStart) => nameOfSummary({ ...track, weekStart }, earlier.from) === earlier.name,
  )
}

const everyWeekStart: readonly WeekStart[] = [1, 2, 3, 4, 5, 6, 7]

/** Whether the person's weeks begin on another day than those in which its earlier days were summed up. */
export function isInOtherWeeks(facts: HabitFacts, counted: CountedFor): boolean {
  return trackOfFacts(facts, counted).track.weekStart !== counted.calendar.weekStart
}

function summaryOf({ from, run, records, strength, first_entry }: EarlierFacts): HabitSummary {
  return { from, run, records, strength: strength ?? noShares, firstEntry: first_entry }
}

/** What the days before `from` add up to, from a caller who knows them all. */
export function sumUpBefore(days: HabitDays, from: Day): EarlierFacts {
  const track = trackOf(days)
  const sum = sumUpTrack(track, from)
  const longest = Math.max(...Object.values(sum.records))
  return {
    from: sum.from,
    run: sum.run,
    longest,
    records: sum.records,
    strength: sum.strength,
    first_entry: sum.firstEntry,
    name: nameOfSummary(track, sum.from),
  }
}

/** For a day before `earlier.from` the row alone does not show what becomes of its numbers. */
export interface WithEarlier {
  /** What the earlier days add up to with the change. */
  earlier?: EarlierFacts | undefined
}

/** What a person makes of a day. */
export type ChosenState = 'done' | 'skipped' | 'none'

/** The habit with one day set. */
export function withState(
  facts: HabitFacts,
  { day, state, earlier }: { day: Day; state: ChosenState } & WithEarlier,
): HabitFacts {
  const start_date = state === 'done' && day < facts.start_date ? day : facts.start_date
  if (day < facts.earlier.from) return { ...facts, start_date, ...joined(facts, earlier) }
  return {
    ...facts,
    start_date,
    since: setDay(facts.since, day, state === 'done'),
    skipped: setDay(facts.skipped, day, state === 'skipped'),
  }
}

/** The habit without the completions in a range of days. */
export function withoutDays(facts: HabitFacts, { from, to }: { from: Day; to: Day }): HabitFacts {
  return { ...facts, since: facts.since.filter((day) => day < from || day > to) }
}

/** The habit with an entry. `makes` is the amount of the day with it: it is part of an amount whose entries are not known. */
export function withEntry(
  facts: HabitFacts,
  { entry, makes, earlier }: { entry: DayEntry; makes: number } & WithEarlier,
): HabitFacts {
  const { day } = entry
  const start_date = day < facts.start_date ? day : facts.start_date
  if (day < facts.earlier.from) return { ...facts, start_date, ...joined(facts, earlier) }
  const isIn = facts.entries.some(({ id }) => id === entry.id)
  if (isIn || facts.amounts.some((of) => of.day === day && of.amount === makes)) return facts
  return { ...facts, start_date, entries: [...facts.entries, entry] }
}

/**
 * The habit without an entry. `rest` is the amount of the day without it, from a caller who knew it, for when the entry
 * itself is not known.
 */
export function withoutEntry(
  facts: HabitFacts,
  { id, day, rest, earlier }: { id: string; day: Day; rest: number | null } & WithEarlier,
): HabitFacts {
  if (day < facts.earlier.from) return { ...facts, ...joined(facts, earlier) }
  const entries = facts.entries.filter((entry) => entry.id !== id)
  if (entries.length < facts.entries.length || !facts.amounts.some((of) => of.day === day)) {
    return { ...facts, entries }
  }
  const amounts = facts.amounts.filter((of) => of.day !== day)
  return { ...facts, amounts: rest === null ? amounts : [...amounts, { day, amount: rest }] }
}

/** The habit without any entry on a day. */
export function withoutAmount(facts: HabitFacts, { day, earlier }: { day: Day } & WithEarlier): HabitFacts {
  if (day < facts.earlier.from) return { ...facts, ...joined(facts, earlier) }
  return {
    ...facts,
    entries: facts.entries.filter((entry) => entry.day !== day),
    amounts: facts.amounts.filter((of) => of.day !== day),
  }
}

/** The habit with another rhythm or target from a day on. */
export function withRhythm(
  facts: HabitFacts,
  change: { from_day: Day; rhythm?: Rhythm | undefined; target?: Target | undefined },
): HabitFacts {
  const { from_day } = change
  const before = facts.rhythms.find((row) => row.from_day === from_day)
  const row: RhythmRow = {
    from_day,
    rhythm: change.rhythm ?? before?.rhythm ?? null,
    target: change.target ?? before?.target ?? null,
  }
  return { ...facts, rhythms: [...facts.rhythms.filter((other) => other !== before), row] }
}

/** The amounts of all days since `earlier.from` with an entry. */
export function amountsOf({ amounts, entries }: HabitFacts): Map<Day, number> {
  const found = new Map(amounts.map(({ day, amount }) => [day, amount]))
  for (const [day, ofDay] of Map.groupBy(entries, (entry) => entry.day)) {
    const amount = amountOf(onTopOf(found.get(day), ofDay))
    if (amount !== null) found.set(day, amount)
  }
  return found
}

/** The entries of a day, as far as they are known, and an amount of which the entries are not. */
export function entriesOn({ amounts, entries }: HabitFacts, day: Day): AmountEntry[] {
  return onTopOf(
    amounts.find((of) => of.day === day)?.amount,
    entries.filter((entry) => entry.day === day),
  )
}

function onTopOf(amount: number | undefined, entries: readonly DayEntry[]): AmountEntry[] {
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

export function setDay(days: readonly Day[], day: Day, isIn: boolean): Day[] {
  const others = days.filter((other) => other !== day)
  return isIn ? [...others, day].sort() : others
}

/** A summary up to another day, from before the row was read again, says nothing about this one. */
function joined(facts: HabitFacts, earlier: EarlierFacts | undefined): Partial<HabitFacts> {
  return earlier?.from === facts.earlier.from ? { earlier } : {}
}
