import type { Day } from '#platform/calendar/day.ts'
import type { WireOf } from '#platform/wire/synced-row.ts'
import type { Habit } from './habit.ts'
import type { habitRow } from './habit-row.ts'
import type { Rhythm, RhythmRow, Target } from './rhythm.ts'

// What a device knows of a habit, and what its changes make of that. Every screen needs this, and only those that show habits
// count with it (`counted-habit.ts`).

/** What the days before `from` add up to. An older build stored less. */
export type EarlierFacts =
  | Habit['earlier']
  | (Pick<Habit['earlier'], 'from' | 'run' | 'longest'> & { records?: undefined })

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

export function setDay(days: readonly Day[], day: Day, isIn: boolean): Day[] {
  const others = days.filter((other) => other !== day)
  return isIn ? [...others, day].sort() : others
}

/** A summary up to another day, from before the row was read again, says nothing about this one. */
function joined(facts: HabitFacts, earlier: EarlierFacts | undefined): Partial<HabitFacts> {
  return earlier?.from === facts.earlier.from ? { earlier } : {}
}
