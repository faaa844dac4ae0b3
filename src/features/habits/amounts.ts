import * as z from 'zod/mini'
import type { Instant } from '#platform/calendar/day.ts'
import { type AmountTarget, mostAmount } from './rhythm.ts'

/** One entry of an amount on a day, in thousandths: added to what is there, or set. */
export interface AmountEntry {
  id: string
  value: number
  set: boolean
  /** The adds that a set replaced. Undefined until the server has fixed it: all that are earlier than it. */
  settles?: readonly string[] | undefined
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
 * latest set lets the one before it count again.
 */
export function amountOf(entries: readonly AmountEntry[]): number | null {
  const counted = countedEntries(entries)
  return counted.length === 0 ? null : counted.reduce((sum, { value }) => sum + value, 0)
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
export function lessOf(entries: readonly AmountEntry[], step: number): { delete: string } | { set: number } {
  const newest = countedEntries(entries)
    .filter(({ set }) => !set)
    .toSorted(newestFirst)[0]
  if (newest) return { delete: newest.id }
  return { set: Math.max(0, (amountOf(entries) ?? 0) - step) }
}

/** What a set that arrives without `settles` names, of the entries that are stored for its day. */
export function settledBy(at: Instant, stored: readonly AmountEntry[]): string[] {
  return stored.filter((entry) => !entry.set && entry.at < at).map(({ id }) => id)
}

function countedEntries(entries: readonly AmountEntry[]): AmountEntry[] {
  const live = entries.filter(({ deleted }) => !deleted)
  const adds = live.filter(({ set }) => !set)
  const latest = live.filter(({ set }) => set).toSorted(newestFirst)[0]
  if (!latest) return adds
  const settled = new Set(latest.settles ?? settledBy(latest.at, adds))
  return [latest, ...adds.filter(({ id }) => !settled.has(id))]
}

/** Of one instant, the greater id is the newer: every device agrees. */
function newestFirst(a: AmountEntry, b: AmountEntry): number {
  return b.at - a.at || (a.id < b.id ? 1 : -1)
}
