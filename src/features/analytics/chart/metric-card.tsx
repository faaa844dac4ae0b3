import { Link } from '@tanstack/react-router'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useMemo } from 'react'
import type { Day } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { formatDuration } from '#platform/format/format-time.ts'
import { useDays } from '../metrics/analytics-queries.ts'
import { CardFailure, CardFrame, CardSkeleton } from '../metrics/card-frame.tsx'
import { between, type Metric, type MetricValue, sumOf } from '../metrics/day-value.ts'
import { formatRange, formatSum, formatTrend, titleOf } from '../metrics/format-metric.ts'
import { useListLink } from '../metrics/list-link.ts'
import type { Range } from '../metrics/range.ts'
import { daysOf, unitOf } from '../metrics/range-days.ts'
import { comparableValue, trendOf } from '../metrics/trend.ts'
import { Chart } from './chart.tsx'
import { groupDays } from './groups.ts'

interface MetricCardProps {
  metric: Metric
  range: Range
  today: Day
  weekStart: WeekStart
}

/**
 * The card of one metric: its sum, its trend and its days in a range. A single request covers this range and the range before it.
 */
export function MetricCard({ metric, range, today, weekStart }: MetricCardProps) {
  const days = useMemo(() => daysOf(range, today), [range, today])
  const { data, status, problem, retry } = useDays(metric, { from: days.before.from, to: days.to })
  const shown = useMemo(() => {
    if (!data) return undefined
    const inRange = between(data, days)
    return {
      now: sumOf(inRange),
      compared: comparableValue(metric, inRange, today),
      before: sumOf(between(data, days.before)),
      groups: groupDays(inRange, unitOf(range), weekStart),
    }
  }, [data, days, metric, range, today, weekStart])

  if (status === 'failed') {
    return (
      <CardFrame metric={metric}>
        <CardFailure what={titleOf[metric]} problem={problem} onRetry={retry} />
      </CardFrame>
    )
  }
  if (!shown) {
    return (
      <CardFrame metric={metric} busy>
        <CardSkeleton />
      </CardFrame>
    )
  }
  const { now, compared, before, groups } = shown
  return (
    <CardFrame metric={metric}>
      <Sum metric={metric} value={now} days={days} range={range} />
      <TrendLine metric={metric} now={compared} before={before} range={range} />
      {now.amount === 0 && now.occasions === 0 ? (
        <Nothing metric={metric} range={range} />
      ) : (
        <Chart metric={metric} groups={groups} unit={unitOf(range)} today={today} />
      )}
    </CardFrame>
  )
}

interface SumProps {
  metric: Metric
  value: MetricValue
  days: { from: Day; to: Day }
  range: Range
}

/** The number on the card, which links to the list of the rows that it counts. */
function Sum({ metric, value, days, range }: SumProps) {
  const { href, onClick } = useListLink()(metric, days)
  return (
    <p className="mt-2 min-h-11 tabular-nums">
      <a
        href={href}
        onClick={onClick}
        aria-label={`${formatSum(metric, value)} in ${formatRange(range)}. Show the list`}
        className="-mx-1 inline-flex flex-wrap items-baseline gap-x-2 rounded-control px-1 hover:bg-hover"
      >
        {metric === 'focus' ? (
          formatDuration(value.amount)
            .split(/ (?=\d)/)
            .map((part) => {
              const [count = '', unit = ''] = part.split(' ')
              return (
                <span key={unit} className="inline-flex items-baseline gap-x-2">
                  <Big>{count}</Big> <Unit>{`${unit} `}</Unit>
                </span>
              )
            })
        ) : (
          <Big>{integerFormat.format(value.amount)}</Big>
        )}{' '}
        {metric === 'habits' && <Unit>{`of ${integerFormat.format(value.occasions)} due`}</Unit>}
      </a>
    </p>
  )
}

function Unit({ children }: { children: string }) {
  return <span className="text-control text-ink-2">{children}</span>
}

function Big({ children }: { children: string }) {
  return <span className="text-number text-ink">{children}</span>
}

function TrendLine({
  metric,
  now,
  before,
  range,
}: {
  metric: Metric
  now: MetricValue
  before: MetricValue
  range: Range
}) {
  const trend = trendOf(metric, now, before)
  const { strong, rest } = formatTrend(metric, trend, now, range)
  const Arrow = trend.kind === 'more' ? ArrowUp : trend.kind === 'less' ? ArrowDown : undefined
  return (
    <p className="mt-1 flex min-h-5 items-start gap-1 text-control text-ink-2">
      {Arrow && <Arrow size={14} aria-hidden="true" className="mt-[3px] shrink-0" />}
      <span>
        <span className="font-medium text-ink">{strong}</span>
        {rest}
      </span>
    </p>
  )
}

const screens = {
  todos: { to: '/todos', label: 'Go to Todos', none: 'No tasks completed' },
  habits: { to: '/habits', label: 'Go to Habits', none: 'No habits due' },
  focus: { to: '/focus', label: 'Go to Focus Timer', none: 'No focus sessions' },
} as const

function Nothing({ metric, range }: { metric: Metric; range: Range }) {
  const { to, label, none } = screens[metric]
  return (
    <div className="mt-3 flex min-h-[calc(2rem+68px)] flex-col items-start justify-center gap-1 text-control text-ink-2 pointer-coarse:min-h-[calc(2rem+120px)]">
      {none} in {formatRange(range)}.
      <Link
        to={to}
        className="inline-flex min-h-6 items-center rounded-box font-medium text-accent hover:underline pointer-coarse:min-h-11"
      >
        {label}
      </Link>
    </div>
  )
}
