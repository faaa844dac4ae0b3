import { type Day, dayNumber } from '#platform/calendar/day.ts'
import type { WireOf } from '#platform/wire/synced-row.ts'
import type { HabitDays } from '../rhythm/habit-track.ts'
import { isEntered, type Rhythm, type RhythmRow, spanOn, spansOf, type Target } from '../rhythm/rhythm.ts'
import type { Habit } from './habit.ts'
import { historyNones } from './habit-history.ts'
import type { habitRow } from './habit-row.ts'
import { amountsOf } from './known-amounts.ts'

// What a device knows about a habit, and how changes affect this knowledge. Every screen needs this file; only screens that show
// habits also need `counted-habit.ts`.

/** One entry of an amount. */
export type DayEntry = Habit['entries'][number]

/**
 * What is known about a habit, whatever day it is. The numbers on the screen are computed from it for the current day, so neither
 * midnight nor an unsent change leaves an outdated number.
 */
export interface HabitFacts extends WireOf<typeof habitRow> {
  chosen_start: Habit['chosen_start']
  rhythms: RhythmRow[]
  earlier: Habit['earlier']
  /** The days done since `earlier.from`, the first day that is not summed up. `skipped` holds the days skipped since then. */
  since: Day[]
  skipped: Day[]
  /** The amounts of days whose entries this device does not have. */
  amounts: { day: Day; amount: number }[]
  /** The entries of the most recent days. Entries from before `earlier.from` serve only Undo. */
  entries: DayEntry[]
  /** The focus sessions that count, except on days whose amount is in `amounts`. */
  sessions: Habit['sessions']
}

/** Removes from a received habit the days and amounts that its entries and sessions already tell. */
export function factsOfResponse<Received extends HabitFacts>(received: Received): Received {
  const spans = spansOf(received.rhythms)
  const known = new Set([...received.entries, ...received.sessions].map(({ day }) => day))
  return {
    ...received,
    // If the target is an amount, the entries decide whether a day was done.
    since: received.since.filter((day) => spanOn(spans, dayNumber(day)).target === 'yes'),
    amounts: received.amounts.filter(({ day }) => !known.has(day)),
  }
}

/** All days of a habit: a sum of the days before `earlier.from`, and the days since then. */
export type History = Pick<HabitFacts, 'since' | 'skipped' | 'amounts'> & {
  earlier: Habit['earlier']
  start: Day
}

/** For changes to a day before `earlier.from`, whose effect on the numbers cannot be computed from the habit's row alone. */
export interface WithHistory {
  /** The days of the habit including the change; only given if all days were known. */
  history?: History | undefined
}

/** The states that a person can choose for a day. */
export type ChosenState = 'done' | 'skipped' | 'none'

/** The habit with one day set. */
export function withState(
  facts: HabitFacts,
  { day, state, history }: { day: Day; state: ChosenState } & WithHistory,
): HabitFacts {
  const isDone = state === 'done'
  const since = setDay(facts.since, day, isDone)
  const skipped = setDay(facts.skipped, day, state === 'skipped')
  return withDay(facts, { day, history, entered: isDone }, { since, skipped })
}

/**
 * The habit after a day was changed. `entered` is true if the day now has an entry, false if it has none any more, and undefined
 * if that did not change. `near` holds the changed fields; they apply only if the day is not before `earlier.from`.
 */
function withDay(
  facts: HabitFacts,
  { day, history, entered }: { day: Day; entered?: boolean | undefined } & WithHistory,
  near: Partial<HabitFacts>,
): HabitFacts {
  const isNear = day >= facts.earlier.from
  const next = { ...facts, ...(isNear ? near : joined(facts, history)) }
  const { start_date, chosen_start } = facts
  if (!isNear && history) return { ...next, start_date: history.start }
  if (entered && day < start_date) return { ...next, start_date: day }
  // Only the server knows what else was entered on a day that is summed up.
  if (!isNear || entered !== false || day !== start_date) return next
  // The day itself may still be entered: skipping a day keeps its amount. Days that were entered before the start was chosen do not
  // count, but only the server knows when they were entered.
  const done = next.since.map((other) => [other, 'done'] as const)
  const standing = enteredDays({ rows: next.rhythms, states: new Map(done), amounts: amountsOf(next) })
  const [first] = standing.filter((other) => other >= day && other < chosen_start.day).sort()
  return { ...next, start_date: first ?? chosen_start.day }
}

/** The days that can begin a habit, in any order: those ticked, and those with an amount that counts as an entry. */
export function enteredDays({
  rows,
  states,
  amounts,
}: Pick<HabitDays, 'rows' | 'states' | 'amounts'>): Day[] {
  const spans = spansOf(rows)
  const targetOf = (day: Day) => spanOn(spans, dayNumber(day)).target
  const ticked = [...states].filter(([day, state]) => state === 'done' && targetOf(day) === 'yes')
  const entered = [...amounts].filter(([day, amount]) => isEntered(targetOf(day), amount))
  return [...ticked, ...entered].map(([day]) => day)
}

function targetOn({ rhythms }: HabitFacts, day: Day): Target {
  return spanOn(spansOf(rhythms), dayNumber(day)).target
}

/** The habit with a range of days reset, including skipped ones. */
export function withoutDays(facts: HabitFacts, { from, to }: { from: Day; to: Day }): HabitFacts {
  const isOutside = (day: Day) => day < from || day > to
  const left = { since: facts.since.filter(isOutside), skipped: facts.skipped.filter(isOutside) }
  const day = isOutside(facts.start_date) ? to : facts.start_date
  return withDay({ ...facts, ...left }, { day, entered: false }, {})
}

/**
 * The habit with an entry added. `makes` is the day's amount including the entry. If only the amount of the day is known, `makes`
 * tells whether that amount already includes the entry.
 */
export function withEntry(
  facts: HabitFacts,
  { entry, makes, history }: { entry: DayEntry; makes: number } & WithHistory,
): HabitFacts {
  const { day, id } = entry
  const isIn =
    facts.entries.some((other) => other.id === id) ||
    facts.amounts.some((of) => of.day === day && of.amount === makes)
  if (isIn && day >= facts.earlier.from) return facts
  const entered = isEntered(targetOn(facts, day), makes)
  return withDay(facts, { day, history, entered }, { entries: [...facts.entries, entry] })
}

/**
 * The habit without an entry. `rest` is the remaining amount of the day, needed if this device does not know the entry itself.
 */
export function withoutEntry(
  facts: HabitFacts,
  { id, day, rest, history }: { id: string; day: Day; rest: number | null } & WithHistory,
): HabitFacts {
  const entered = isEntered(targetOn(facts, day), rest) ? undefined : false
  const entries = facts.entries.filter((entry) => entry.id !== id)
  if (entries.length < facts.entries.length) return withDay(facts, { day, history, entered }, { entries })
  const amounts = facts.amounts.flatMap((of) =>
    of.day !== day ? of : rest === null ? [] : { day, amount: rest },
  )
  return withDay(facts, { day, history, entered }, { amounts })
}

/** The habit without any entries on a day. */
export function withoutAmount(facts: HabitFacts, { day, history }: { day: Day } & WithHistory): HabitFacts {
  const isOther = (of: { day: Day }) => of.day !== day
  const near = { entries: facts.entries.filter(isOther), amounts: facts.amounts.filter(isOther) }
  return withDay(facts, { day, history, entered: false }, near)
}

/** Whether the habit began after the days that were summed up, so that the sum is empty. */
export function hasNothingEarlier({
  start_date,
  earlier,
}: Pick<HabitFacts, 'start_date' | 'earlier'>): boolean {
  return start_date >= earlier.from
}

/** The habit with another start: entries from before it no longer count. */
export function withStart(facts: HabitFacts, chosen_start: HabitFacts['chosen_start']): HabitFacts {
  const moved = { ...facts, chosen_start, start_date: chosen_start.day }
  return hasNothingEarlier(facts) && hasNothingEarlier(moved) ? moved : withoutSum(moved)
}

/** The habit with its sum of earlier days marked as unknown until the server sends the sum again. */
export function withoutSum(facts: HabitFacts): HabitFacts {
  const { earlier } = facts
  return isOfNothing(earlier) ? facts : { ...facts, earlier: { ...earlier, name: '' } }
}

/** The sum of a habit that was just added on this device. It is empty, and so correct for any rhythm. */
export function sumOfNothing(from: Day): Habit['earlier'] {
  return { ...historyNones.earlier, from, name: ofNothing }
}

export function isOfNothing({ name }: Habit['earlier']): boolean {
  return name === ofNothing
}

const ofNothing = 'nothing'

/**
 * The habit archived at another time, or taken out of the archive. Days from the archiving on do not count. If some of them were
 * summed up, the sum becomes unknown, unless the server also sent it as if the habit were not archived.
 */
export function withArchiving(facts: HabitFacts, archived_at: string | null): HabitFacts {
  const { earlier } = facts
  if (archived_at === facts.archived_at) return facts
  const isSummed = (at: string | null) => at !== null && at.slice(0, 10) < earlier.from
  const changed = { ...facts, archived_at }
  if (isSummed(archived_at)) return withoutSum(changed)
  if (earlier.unarchived) {
    const { unarchived, ...archived } = earlier
    const longest = Math.max(...Object.values(unarchived.records))
    return { ...changed, earlier: { ...archived, ...unarchived, longest } }
  }
  return isSummed(facts.archived_at) ? withoutSum(changed) : changed
}

/** The habit with another rhythm or target from a day on. `history` is needed if that day is not after `earlier.from`. */
export function withRhythm(
  facts: HabitFacts,
  change: { from_day: Day; rhythm?: Rhythm | undefined; target?: Target | undefined } & WithHistory,
): HabitFacts {
  return { ...facts, rhythms: rhythmsWith(facts.rhythms, change), ...joined(facts, change.history) }
}

export function rhythmsWith(
  rows: readonly RhythmRow[],
  { from_day, rhythm, target }: { from_day: Day; rhythm?: Rhythm | undefined; target?: Target | undefined },
): RhythmRow[] {
  const before = rows.find((row) => row.from_day === from_day)
  const row = { from_day, rhythm: rhythm ?? before?.rhythm ?? null, target: target ?? before?.target ?? null }
  return [...rows.filter((other) => other !== before), row]
}

export function setDay(days: readonly Day[], day: Day, isIn: boolean): Day[] {
  const others = days.filter((other) => other !== day)
  return isIn ? [...others, day].sort() : others
}

/** The sum and days in `history` together with the newer days of the habit's row. For days that both contain, the row is used. */
function joined(facts: HabitFacts, history: History | undefined): Partial<HabitFacts> {
  if (!history) return {}
  const { from } = history.earlier
  const isOlder = (day: Day) => day >= from && day < facts.earlier.from
  return {
    earlier: history.earlier,
    since: [...history.since.filter(isOlder), ...facts.since.filter((day) => day >= from)],
    skipped: [...history.skipped.filter(isOlder), ...facts.skipped.filter((day) => day >= from)],
    amounts: [
      ...history.amounts.filter(({ day }) => isOlder(day)),
      ...facts.amounts.filter(({ day }) => day >= from),
    ],
    // Days between the two sums take their amounts from `history`, which includes the change. The entries and sessions of these
    // days do not, so drop them.
    entries: facts.entries.filter(({ day }) => !isOlder(day)),
    sessions: facts.sessions.filter(({ day }) => !isOlder(day)),
  }
}
