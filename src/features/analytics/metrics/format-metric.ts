import { addDays, type Day } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { dayAndMonth, dayOfMonth, longDay, monthAndYear } from '#platform/format/format-day.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { formatDuration, formatRoundDuration } from '#platform/format/format-time.ts'
import { counted } from '#platform/format/words.ts'
import type { Metric, MetricValue } from './day-value.ts'
import type { Range } from './range.ts'
import type { Trend } from './trend.ts'

export const titleOf: Record<Metric, string> = {
  todos: 'Completed todos',
  habits: 'Completed habits',
  focus: 'Completed focus',
}

/** The metrics to choose from. */
export const metricOptions = [
  { value: 'habits', label: 'Habits' },
  { value: 'todos', label: 'Tasks' },
  { value: 'focus', label: 'Focus' },
] as const

/** The value of a day: '4 tasks', '3 of 4 habits', '1 h 15 min'. */
export function formatValue(metric: Metric, { amount, occasions }: MetricValue): string {
  if (metric === 'focus') return formatDuration(amount)
  if (metric === 'habits')
    return `${integerFormat.format(amount)} of ${integerFormat.format(occasions)} habits`
  return counted(amount, 'task')
}

/** The number on a card and on its list: '4 tasks', '3 of 4 due', '1 h 15 min'. */
export function formatSum(metric: Metric, { amount, occasions }: MetricValue): string {
  if (metric === 'habits') return `${integerFormat.format(amount)} of ${integerFormat.format(occasions)} due`
  return formatValue(metric, { amount, occasions })
}

/** Days as a heading: 'Thursday 5 November', 'November 2025', '17 to 23 August', '28 October to 3 November'. */
export function formatDays({ from, to }: DayRange, today: Day): string {
  if (from === to) return longDay(from, today)
  if (from.endsWith('-01') && addDays(to, 1).endsWith('-01') && from.slice(0, 7) === to.slice(0, 7)) {
    return monthAndYear(from)
  }
  const sameMonth = from.slice(0, 7) === to.slice(0, 7)
  return `${sameMonth ? dayOfMonth(from) : dayAndMonth(from, today)} to ${dayAndMonth(to, today)}`
}

/** A range in words: 'the last 30 days'. */
export function formatRange(range: Range): string {
  return range === 'year' ? 'the last 365 days' : `the last ${range} days`
}

/** The text of a trend: the emphasised part and the rest of the sentence. */
export function formatTrend(
  metric: Metric,
  trend: Trend,
  now: MetricValue,
  range: Range,
): { strong: string; rest: string } {
  const period = range === 'year' ? 'year' : `${range} days`
  const before = `the previous ${period}`
  const sessions = metric === 'focus' ? counted(now.occasions, 'session') : ''
  if (trend.kind === 'first') {
    if (metric === 'focus') return { strong: sessions, rest: `, none the ${period} before` }
    if (metric === 'habits') return { strong: '', rest: `Nothing was due in ${before}` }
    return { strong: '', rest: `None in ${before}` }
  }
  if (trend.kind === 'none due') return { strong: '', rest: 'Nothing to compare yet' }
  if (trend.kind === 'same') {
    if (metric === 'focus') return { strong: sessions, rest: ', same time as before' }
    return {
      strong: '',
      rest: metric === 'habits' ? `Same rate as in ${before}` : `Same as in ${before}`,
    }
  }
  const { kind, by } = trend
  if (metric === 'todos') {
    return {
      strong: `${integerFormat.format(by)} ${kind === 'more' ? 'more' : 'fewer'}`,
      rest: ` than in ${before}`,
    }
  }
  if (metric === 'focus') return { strong: formatRoundDuration(by), rest: ` ${kind}, ${sessions}` }
  const direction = kind === 'more' ? 'up' : 'down'
  return { strong: counted(by, 'point'), rest: ` ${direction}, from ${trend.before}% to ${trend.now}%` }
}
