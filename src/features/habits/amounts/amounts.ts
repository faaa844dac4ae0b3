import * as z from 'zod/mini'
import type { Day, Instant } from '#platform/calendar/day.ts'
import { type AmountTarget, mostAmount } from '../rhythm/rhythm.ts'

/** One entry of an amount on a day, in thousandths: added to what is there, or set. */
export interface AmountEntry {
  id: string
  value: number
  set: boolean
  /**
   * The adds and sessions that a set replaced. Undefined until the server has fixed it, and of a set that is not the latest of its day:
   * all that are earlier than it.
   */
  settles?: readonly string[] | undefined
  at: Instant
  deleted: boolean
}

/** What of a focus session lies on a day of the habit that it belongs to. Where the target is in minutes, it counts there. */
export interface FocusedSession {
  id: string
  day: Day
  seconds: number
  /** When it was given to the habit. For one that came with an import, devices are told when it ended instead. */
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
 * The amount of a day: its latest set, and every add which that does not name; null without an entry. Deleting the
 * latest set lets the one before it count again. `sessions` are those of a day whose target is in minutes.
 */
export function amountOf(
  entries: readonly AmountEntry[],
  sessions: readonly FocusedSession[] = [],
): number | null {
  const counted = countedEntries(entries)
  const entered = counted.length === 0 ? null : counted.reduce((sum, { value }) => sum + value, 0)
  return sumOf(entered, focusedMinutes(entries, sessions))
}

/** The whole minutes, in thousandths, of the sessions of a day that its latest set does not name; null without any. */
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

/** What was entered and what was focused on a day, together; null is nothing of either. */
export function sumOf(entered: number | null, focused: number | null): number | null {
  return entered === null ? focused : entered + (focused ?? 0)
}

/** What + adds: 1, above 20 about a tenth of the target, rounded to 1, 2 or 5. */
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

/** What − does: deletes the newest add that counts, else sets the amount a step lower. */
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

/** What a set that arrives without `settles` names, of the entries and sessions that are stored for its day. */
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

/** The set that counts of those of a day. */
export function latestSetOf<Entry extends AmountEntry>(entries: readonly Entry[]): Entry | undefined {
  return entries.filter(({ set, deleted }) => set && !deleted).toSorted(newestFirst)[0]
}

function settledIn(
  { settles, at }: AmountEntry,
  others: readonly { id: string; at: Instant }[],
): readonly string[] {
  return settles ?? others.filter((each) => each.at < at).map(({ id }) => id)
}

/** Of one instant, the greater id is the newer: every device agrees. */
function newestFirst(a: AmountEntry, b: AmountEntry): number {
  return b.at - a.at || (a.id < b.id ? 1 : -1)
}
