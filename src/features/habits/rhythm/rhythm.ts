import { type Day, dayNumber } from '#platform/calendar/day.ts'

/** How often a habit is to be done. `{times, days}` means n times in every m days in a row, `{every}` every n days. */
export type Rhythm =
  | { times: number; per: 'week' | 'month' }
  | { times: number; days: number }
  | { weekdays: number[] }
  | { every: number }

/** The two rhythms in the specification. */
export type Frequency = 'daily' | 'weekly'

/**
 * What makes the habit done: a tick, or an amount in thousandths of its unit. With an amount per week or month, the rhythm is
 * ignored.
 */
export type Target = 'yes' | AmountTarget
export interface AmountTarget {
  at: 'least' | 'most'
  amount: number
  unit: string
  per: 'day' | 'week' | 'month'
}

/** A change of the rhythm or target from a day on. A part that is null stays as in the row before. */
export interface RhythmRow {
  from_day: Day
  rhythm: Rhythm | null
  target: Target | null
}

const daily: Rhythm = { every: 1 }
const weekly: Rhythm = { times: 1, per: 'week' }

export const mostAmount = 1_000_000_000

export function sameRhythm(one: Rhythm, other: Rhythm): boolean {
  return nameOfRhythm(one) === nameOfRhythm(other)
}

export function sameTarget(one: Target, other: Target): boolean {
  return nameOfTarget(one) === nameOfTarget(other)
}

/** Consecutive days with one rhythm and target. Days are numbers (`dayNumber`); the ends may be infinite. */
export interface RhythmSpan {
  first: number
  last: number
  rhythm: Rhythm
  /** The day on which the rhythm began. `every` and `{times, days}` count from it, in both directions. */
  anchor: number
  target: Target
}

/**
 * All days, split where the rhythm or target changes. The first row also holds for all days before it. A row equal to the row
 * before has no effect, even if it undoes a change or would count `every` from another day.
 */
export function spansOf(rows: readonly RhythmRow[]): RhythmSpan[] {
  const spans: RhythmSpan[] = []
  for (const row of rows.toSorted((a, b) => (a.from_day < b.from_day ? -1 : 1))) {
    const first = dayNumber(row.from_day)
    const before = spans.at(-1)
    const rhythm = row.rhythm ?? before?.rhythm ?? daily
    const target = row.target ?? before?.target ?? 'yes'
    const keepsRhythm = before !== undefined && sameRhythm(rhythm, before.rhythm)
    if (keepsRhythm && sameTarget(target, before.target)) continue
    if (before) before.last = first - 1
    spans.push({
      first: before ? first : Number.NEGATIVE_INFINITY,
      last: Number.POSITIVE_INFINITY,
      rhythm,
      anchor: keepsRhythm ? before.anchor : first,
      target,
    })
  }
  return spans
}

/** The span that contains a day, given by its number. */
export function spanOn(spans: readonly RhythmSpan[], day: number): RhythmSpan {
  const span = spans[spanPlaceOn(spans, day)]
  if (!span) throw new Error('A habit without a rhythm')
  return span
}

/**
 * The index of the span that contains a day. Uses a binary search: there may be thousands of spans, and callers ask for every
 * day.
 */
export function spanPlaceOn(spans: readonly RhythmSpan[], day: number): number {
  let [low, high] = [0, spans.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (day <= (spans[middle]?.last ?? day)) high = middle
    else low = middle + 1
  }
  return low
}

/** The rhythm and target that hold on a day. */
export function rhythmOn(rows: readonly RhythmRow[], day: Day): { rhythm: Rhythm; target: Target } {
  const { rhythm, target } = spanOn(spansOf(rows), dayNumber(day))
  return { rhythm, target }
}

/** The kind of period in which the target is to be reached once. */
export type PeriodKind = 'week' | 'month' | 'block' | 'due day'

/** Whether the amount is summed over a week or month, whichever days the rhythm names. */
export function isSummed(target: Target): target is AmountTarget & { per: 'week' | 'month' } {
  return target !== 'yes' && target.per !== 'day'
}

/** Whether an amount counts as an entry of the day. Zero counts only if the target is a limit. */
export function isEntered(target: Target, amount: number | null): boolean {
  return amount !== null && (amount > 0 || (target !== 'yes' && target.at === 'most'))
}

/**
 * Whether the rhythm is the specification's Weekly, which has its own rules: its first week is whole, and one day completes a
 * week.
 */
export function isWeekly(rhythm: Rhythm, target: Target): boolean {
  return 'per' in rhythm && rhythm.per === 'week' && rhythm.times === 1 && !isSummed(target)
}

export function periodKindOf(rhythm: Rhythm, target: Target): PeriodKind {
  if (isSummed(target)) return target.per
  if ('per' in rhythm) return rhythm.per
  return 'days' in rhythm ? 'block' : 'due day'
}

/** Whether the habit is due on certain days, and can be missed on them. Other habits are due at any time in a longer period. */
export function isDueByDay(rows: readonly RhythmRow[], day: Day): boolean {
  const { rhythm, target } = rhythmOn(rows, day)
  return periodKindOf(rhythm, target) === 'due day'
}

/**
 * The average number of days in a period; for due days, their mean distance. A month counts as 30 days: to callers it only
 * matters that a month is longer than a week.
 */
export function meanPeriodDays(rhythm: Rhythm, target: Target): number {
  const kind = periodKindOf(rhythm, target)
  if (kind === 'week') return 7
  if (kind === 'month') return 30
  if ('days' in rhythm) return rhythm.days
  return dueDayDistance(rhythm)
}

/** The most days that a period has in any of these spans. */
export function longestPeriod(spans: readonly RhythmSpan[]): number {
  return spans.reduce((longest, { rhythm, target }) => Math.max(longest, mostPeriodDays(rhythm, target)), 1)
}

function mostPeriodDays(rhythm: Rhythm, target: Target): number {
  switch (periodKindOf(rhythm, target)) {
    case 'week':
      return 7
    case 'month':
      return 31
    case 'block':
      return 'days' in rhythm ? rhythm.days : 1
    case 'due day':
      return 1
  }
}

/** Whether the habit has always been due every day, to be ticked: the specification's Daily, never changed. */
export function isPlainDaily([only, ...others]: readonly RhythmSpan[]): boolean {
  return others.length === 0 && only !== undefined && only.target === 'yes' && sameRhythm(only.rhythm, daily)
}

/** The mean distance between due days. */
export function dueDayDistance(rhythm: Rhythm): number {
  if ('every' in rhythm) return rhythm.every
  return 'weekdays' in rhythm ? 7 / rhythm.weekdays.length : 1
}

/** What a streak counts. */
export type StreakUnit = 'days' | 'weeks' | 'months' | 'times'

export function streakUnitOf(rhythm: Rhythm, target: Target): StreakUnit {
  const kind = periodKindOf(rhythm, target)
  if (kind === 'week') return 'weeks'
  if (kind === 'month') return 'months'
  return kind === 'due day' && 'every' in rhythm && rhythm.every === 1 ? 'days' : 'times'
}

/** The frequency of the specification, daily or weekly, that is nearer to the rhythm. */
export function frequencyOf(rhythm: Rhythm, target: Target): Frequency {
  return meanPeriodDays(rhythm, target) >= 7 ? 'weekly' : 'daily'
}

/** The rhythm that a frequency of the specification stands for. */
export function rhythmOfFrequency(frequency: Frequency): Rhythm {
  return frequency === 'daily' ? daily : weekly
}

/**
 * The new rhythm when a client writes a frequency. Null if responses already give the habit that frequency, so that nothing
 * changes.
 */
export function rhythmChangedBy(
  frequency: Frequency,
  present: { rhythm: Rhythm; target: Target },
): Rhythm | null {
  const isAnswered = frequencyOf(present.rhythm, present.target) === frequency
  return isAnswered ? null : rhythmOfFrequency(frequency)
}

/** A text that is equal for spans with the same meaning, however their rows were written. */
export function nameOfSpans(spans: readonly RhythmSpan[]): string {
  return spans
    .map(({ first, rhythm, anchor, target }) =>
      [first, anchor, nameOfRhythm(rhythm), nameOfTarget(target)].join(' '),
    )
    .join('; ')
}

function nameOfRhythm(rhythm: Rhythm): string {
  if ('per' in rhythm) return `${rhythm.times} per ${rhythm.per}`
  if ('days' in rhythm) return `${rhythm.times} in ${rhythm.days}`
  return 'every' in rhythm ? `every ${rhythm.every}` : `on ${rhythm.weekdays.toSorted().join('')}`
}

function nameOfTarget(target: Target): string {
  if (target === 'yes') return target
  return JSON.stringify([target.at, target.amount, target.unit, target.per])
}
