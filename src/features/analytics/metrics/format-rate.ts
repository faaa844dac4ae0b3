import { formatPercent } from '#platform/format/format-number.ts'
import { formatRoundDuration } from '#platform/format/format-time.ts'
import type { Metric, MetricValue } from './day-value.ts'

/** A rate: '2.6' to-dos per day, '62%' of the habits, '1 h 10 min' per day; '–' if there is nothing to divide by. */
export function formatRate(metric: Metric, value: MetricValue, dayCount: number): string {
  if (dayCount === 0 || (metric === 'habits' && value.occasions === 0)) return '–'
  if (metric === 'habits') return formatPercent({ done: value.amount, due: value.occasions })
  const average = value.amount / dayCount
  if (metric === 'todos') return oneDigit.format(average)
  return formatRoundDuration(average)
}

const oneDigit = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
