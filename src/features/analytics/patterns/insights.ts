import type { Day } from '#platform/calendar/day.ts'
import { weekdayOf } from '#platform/calendar/week.ts'
import { type DayValue, type Metric, type MetricValue, sumOf } from '../metrics/day-value.ts'
import type { HabitDay } from '../metrics/due-habits.ts'

/** All days of one kind, and their total. */
export interface Side extends MetricValue {
  days: DayValue[]
}

/** How the days are split into two kinds. */
export type Split = 'focus' | 'weekend'

/** A difference between two kinds of days that is larger than chance would explain. It claims no cause. */
export interface Insight {
  /** Stays the same as long as the insight compares the same things. */
  id: string
  metric: Metric
  split: Split
  /** The name of the habit that the insight is about; undefined if it is about all habits. */
  habit: string | undefined
  habitId: string | undefined
  /** Days with a focus session, or weekdays, depending on `split`. */
  one: Side
  /** Days without a focus session, or weekend days. */
  other: Side
  /** Standard deviations between the two sides. The higher, the less likely the difference is chance. */
  strength: number
}

export interface Facts {
  todos: readonly DayValue[]
  focus: readonly DayValue[]
  /**
   * Each habit on each day on which it was due. Includes only habits that are due on particular days (`dueOnTheDay`): a habit
   * that is due some time in a week counts as missed on the week's last day, which would make that day look bad.
   */
  habits: readonly HabitDay[]
}

/** The total of all habits for each day. */
export function dayValuesOf(habits: readonly HabitDay[]): DayValue[] {
  const byDay = new Map<Day, DayValue>()
  for (const { day, completed } of habits) {
    const value = byDay.get(day) ?? { day, amount: 0, occasions: 0 }
    value.amount += completed ? 1 : 0
    value.occasions += 1
    byDay.set(day, value)
  }
  return [...byDay.values()].sort((a, b) => (a.day < b.day ? -1 : 1))
}

/**
 * The fewest days on each side of a comparison: two weeks. With fewer, a single unusual week could decide, and the normal
 * approximation below does not hold.
 */
export const minDays = 14

/**
 * The least strength of an insight, in standard deviations; the two-sided p is then below 0.003. With 20 habits, each visit makes
 * some two dozen comparisons. At the usual 1.96, one finding per visit would be chance; at 3, one in fifteen visits. Consecutive
 * days also resemble each other, which makes chance look smaller than it is: another reason for a high bar.
 */
const minStrength = 3

const maxInsights = 4

/** The insights, strongest first. The facts must not include today, which is not over. */
export function insightsOf(facts: Facts): Insight[] {
  return comparisons(facts)
    .filter(
      ({ one, other, strength }) =>
        one.days.length >= minDays && other.days.length >= minDays && strength >= minStrength,
    )
    .sort((a, b) => b.strength - a.strength || (a.id < b.id ? -1 : 1))
    .slice(0, maxInsights)
}

/** How many days there are on each side of the focus comparison, to show what is missing while there is no insight. */
export function daysByFocus(focus: readonly DayValue[]): { withFocus: number; without: number } {
  const withFocus = focus.filter(isWithFocus).length
  return { withFocus, without: focus.length - withFocus }
}

/** Decided by seconds: a session that merely touched a day had no focus time on it. */
function isWithFocus({ amount }: DayValue): boolean {
  return amount > 0
}

function comparisons({ todos, habits, focus }: Facts): Insight[] {
  const focused = new Set(focus.filter(isWithFocus).map(({ day }) => day))
  const hasFocus = (day: Day) => focused.has(day)
  const isWeekday = (day: Day) => weekdayOf(day) <= 5
  const byHabit = new Map<string, HabitDay[]>()
  for (const row of habits) byHabit.set(row.id, [...(byHabit.get(row.id) ?? []), row])
  return [
    compare({ metric: 'habits', split: 'focus', habit: undefined }, dayValuesOf(habits), hasFocus),
    compare({ metric: 'todos', split: 'focus', habit: undefined }, todos, hasFocus),
    compare({ metric: 'todos', split: 'weekend', habit: undefined }, todos, isWeekday),
    compare({ metric: 'focus', split: 'weekend', habit: undefined }, focus, isWeekday),
    ...[...byHabit].map(([id, rows]) =>
      compare(
        { metric: 'habits', split: 'weekend', habit: rows.at(-1)?.name },
        dayValuesOf(rows),
        isWeekday,
        id,
      ),
    ),
  ]
}

function compare(
  about: Pick<Insight, 'metric' | 'split' | 'habit'>,
  days: readonly DayValue[],
  isOne: (day: Day) => boolean,
  habitId?: string,
): Insight {
  const one = sideOf(days.filter(({ day }) => isOne(day)))
  const other = sideOf(days.filter(({ day }) => !isOne(day)))
  return {
    id: `${about.metric} ${about.split} ${habitId ?? 'all'}`,
    ...about,
    habitId,
    one,
    other,
    strength: strengthOf(about.metric, one, other),
  }
}

/**
 * Standard deviations between the means of both sides. The screen shows another figure, the share of everything due on those days
 * together. If that points the other way, the result depends on how one counts, so the strength is 0.
 */
function strengthOf(metric: Metric, one: Side, other: Side): number {
  const [a, b] = [valuesOf(metric, one), valuesOf(metric, other)]
  const shownDifference = rateOf(metric, one) - rateOf(metric, other)
  const distance = deviationsApart(a, b)
  return distance * shownDifference > 0 ? Math.abs(distance) : 0
}

/** The rate of a side: to-dos or seconds per day, or the share of due habits that were done. */
export function rateOf(metric: Metric, { amount, occasions, days }: Side): number {
  return amount / (metric === 'habits' ? occasions : days.length)
}

function sideOf(days: DayValue[]): Side {
  return { days, ...sumOf(days) }
}

/** The values by which days are compared: the share of the day's due habits for habits, otherwise the amount. */
function valuesOf(metric: Metric, { days }: Side): number[] {
  return days.map(({ amount, occasions }) => (metric === 'habits' ? amount / occasions : amount))
}

/**
 * The distance between the two means, in standard deviations of the distance that would result from assigning the days to the two
 * kinds at random. This is the normal approximation of a permutation test, which makes no assumption about the distribution of
 * the values.
 */
function deviationsApart(one: readonly number[], other: readonly number[]): number {
  const all = [...one, ...other]
  if (one.length === 0 || other.length === 0) return 0
  const mean = meanOf(all)
  const variance = all.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (all.length - 1)
  if (variance === 0) return 0
  return (meanOf(one) - meanOf(other)) / Math.sqrt(variance * (1 / one.length + 1 / other.length))
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
