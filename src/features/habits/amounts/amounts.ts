import * as z from 'zod/mini'
import type { Day, Instant } from '#platform/calendar/day.ts'
import { type AmountTarget, mostAmount } from '../rhythm/rhythm.ts'

/** One entry of an amount on a day, in thousandths: it either adds to the amount or sets it. */
export interface AmountEntry {
  id: string
  value: number
  set: boolean
  /**
   * The ids of the adds and sessions that a set replaces. Undefined means everything earlier than the set. It is undefined until
   * the server has decided, and for a set that is not the latest of its day.
   */
  settles?: readonly string[] | undefined
  at: Instant
  deleted: boolean
}

/** The part of a focus session that falls on a day of its habit. It counts on days whose target is in minutes. */
export interface FocusedSession {
  id: string
  day: Day
  seconds: number
  /** When the session was given to the habit. For an imported session, devices receive the time when it ended. */
  at: Instant
  deleted: boolean
}

const tooMuch = `Expected an amount of at most ${mostAmount} thousandths`
const wholeSchema = z.int('Expected an amount in whole thousandths')
export const addedAmountSchema = wholeSchema.check(
  z.minimum(1, 'Expected to add at least 1 thousandth'),
  z.maximum(mostAmount, tooMuch),
)
export const setAmountSchema = wholeSchema.check(
  z.minimum(0, 'Expected an amount of at least 0'),
  z.maximum(mostAmount, tooMuch),
)

/**
 * The amount of a day: the value of its latest set (an entry that sets the amount), plus every add that this set does not name;
 * null without entries. Deleting the latest set lets the previous set count again. Pass `sessions` only for a day whose target is
 * in minutes.
 */
export function amountOf(
  entries: readonly AmountEntry[],
  sessions: readonly FocusedSession[] = [],
): number | null {
  const counted = countedEntries(entries)
  const entered = counted.length === 0 ? null : counted.reduce((sum, { value }) => sum + value, 0)
  return sumOf(entered, focusedMinutes(entries, sessions))
}

/**
 * The minutes of the sessions that count, rounded down to whole minutes, in thousandths; null if there are none. A session does
 * not count if the latest set of the day names it.
 */
export function focusedMinutes(
  entries: readonly AmountEntry[],
  sessions: readonly FocusedSession[],
): number | null {
  const live = sessions.filter(({ deleted }) => !deleted)
  const latest = latestSetOf(entries)
  const settled = new Set(latest && settledIn(latest, live))
  const counted = live.filter(({ id }) => !settled.has(id))
  if (counted.length === 0) return null
  const seconds = counted.reduce((sum, session) => sum + session.seconds, 0)
  return Math.floor(seconds / 60) * 1_000
}

/** The entered and focused amounts of a day together; null if it has neither. */
export function sumOf(entered: number | null, focused: number | null): number | null {
  return entered === null ? focused : entered + (focused ?? 0)
}

/**
 * The step of the + button, in thousandths: 1 unit, or for targets above 20 about a tenth of the target, rounded to 1, 2 or 5
 * times a power of ten.
 */
export function stepOf({ amount }: AmountTarget): number {
  if (amount <= 20_000) return 1_000
  const tenth = amount / 10
  const magnitude = 10 ** Math.floor(Math.log10(tenth))
  const [first = 1, ...others] = [1, 2, 5, 10]
  const nearest = others.reduce(
    (best, each) => (Math.abs(each * magnitude - tenth) <= Math.abs(best * magnitude - tenth) ? each : best),
    first,
  )
  return nearest * magnitude
}

/** What the − button does: deletes the newest add that counts; without one, sets the amount one step lower. */
export function lessOf(
  entries: readonly AmountEntry[],
  step: number,
  sessions: readonly FocusedSession[] = [],
): { delete: string } | { set: number } {
  const newest = countedEntries(entries)
    .filter(({ set }) => !set)
    .toSorted(newestFirst)[0]
  if (newest) return { delete: newest.id }
  return { set: Math.max(0, (amountOf(entries, sessions) ?? 0) - step) }
}

/**
 * The ids that a set replaces if it arrives without `settles`: all stored adds and sessions of its day that are older than the
 * set.
 */
export function settledBy(
  at: Instant,
  stored: readonly AmountEntry[],
  sessions: readonly FocusedSession[] = [],
): string[] {
  const adds = stored.filter((entry) => !entry.set)
  return [...adds, ...sessions].filter((each) => each.at < at).map(({ id }) => id)
}

function countedEntries(entries: readonly AmountEntry[]): AmountEntry[] {
  const adds = entries.filter(({ set, deleted }) => !set && !deleted)
  const latest = latestSetOf(entries)
  if (!latest) return adds
  const settled = new Set(settledIn(latest, adds))
  return [latest, ...adds.filter(({ id }) => !settled.has(id))]
}

/** The latest entry that sets the amount of the day and is not deleted; undefined if there is none. */
export function latestSetOf<Entry extends AmountEntry>(entries: readonly Entry[]): Entry | undefined {
  return entries.filter(({ set, deleted }) => set && !deleted).toSorted(newestFirst)[0]
}

function settledIn(
  { settles, at }: AmountEntry,
  others: readonly { id: string; at: Instant }[],
): readonly string[] {
  return settles ?? others.filter((each) => each.at < at).map(({ id }) => id)
}

/** If two entries have the same instant, the one with the greater id is newer, so that all devices agree. */
function newestFirst(a: AmountEntry, b: AmountEntry): number {
  return b.at - a.at || (a.id < b.id ? 1 : -1)
}
