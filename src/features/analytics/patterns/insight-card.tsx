import type { Day } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { formatDuration } from '#platform/format/format-time.ts'
import type { Metric } from '../metrics/day-value.ts'
import { formatDays } from '../metrics/format-metric.ts'
import { formatRate } from '../metrics/format-rate.ts'
import { ShareBar } from '../metrics/share-bar.tsx'
import { formatNoInsights } from './format-insights.ts'
import { type Insight, rateOf, type Side } from './insights.ts'
import { WithDays } from './shown-days.tsx'

const sides = {
  focus: { one: 'With focus', other: 'Without focus', daysOne: 'days with focus', daysOther: 'days without' },
  weekend: { one: 'Weekdays', other: 'Weekends', daysOne: 'weekdays', daysOther: 'weekend days' },
}

/** An insight: the sentence, both numbers, the number of days, and links to the rows. The card claims no cause. */
export function InsightCard({
  insight,
  sampleRange,
  today,
}: {
  insight: Insight
  sampleRange: DayRange | undefined
  today: Day
}) {
  const { metric, split, habit, one, other } = insight
  const names = sides[split]
  const whole = metric === 'habits' ? 1 : Math.max(rateOf(metric, one), rateOf(metric, other)) * 1.1
  const bars = [
    { name: names.one, side: one },
    { name: names.other, side: other },
  ]
  return (
    <WithDays
      metric={metric}
      habit={insight.habitId}
      today={today}
      about={`Days behind this insight: ${findingOf(insight)}`}
      kinds={[
        { name: names.one, days: one.days },
        { name: names.other, days: other.days },
      ]}
    >
      {(button) => (
        <article className="rounded-card bg-raised p-5 ring ring-line max-sm:p-4">
          <h3 className="text-control font-semibold wrap-anywhere">{findingOf(insight)}</h3>
          <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 text-small">
            {bars.map(({ name, side }, place) => (
              <div key={name} className="col-span-full grid grid-cols-subgrid items-center">
                <dt className="text-ink-2">{name}</dt>
                <dd className="contents">
                  <ShareBar value={rateOf(metric, side)} of={whole} strong={place === 0} />
                  <span className="text-right font-semibold">
                    {formatRate(metric, side, side.days.length)}
                  </span>
                </dd>
              </div>
            ))}
          </dl>
          <p className="mt-3 text-small text-ink-2">
            {habit === undefined ? unitOfRate[metric] : 'Done'}
            {sampleRange && `, ${formatDays(sampleRange, today)}`}: {sampleOf(insight, one)} {names.daysOne},{' '}
            {sampleOf(insight, other)} {names.daysOther}.
          </p>
          {button}
        </article>
      )}
    </WithDays>
  )
}

/** Shown in place of insights. Says what is missing, so that it does not look like a failure. */
export function NoInsights(days: { withFocus: number; without: number }) {
  return (
    <p className="col-span-full rounded-card bg-raised p-5 text-control text-ink-2 ring ring-line max-sm:p-4">
      {formatNoInsights(days)}
    </p>
  )
}

const unitOfRate: Record<Metric, string> = {
  todos: 'Tasks completed per day',
  habits: 'Share of daily habits done',
  focus: 'Focus time per day',
}

function findingOf({ metric, split, habit, one, other }: Insight): string {
  const more = rateOf(metric, one) > rateOf(metric, other)
  if (split === 'focus') {
    const much = more ? 'more' : 'fewer'
    const what = metric === 'habits' ? `complete ${much} of your daily habits` : `complete ${much} tasks`
    return `You ${what} on days with a focus session.`
  }
  const when = more ? 'weekdays' : 'weekends'
  if (habit !== undefined) return `You do “${habit}” more often on ${when}.`
  return metric === 'focus' ? `You focus longer on ${when}.` : `You complete more tasks on ${when}.`
}

function sampleOf({ metric, habit }: Insight, { amount, occasions, days }: Side): string {
  const count = integerFormat.format(days.length)
  // A single habit is counted only on days on which it was due.
  if (habit !== undefined) return `${integerFormat.format(amount)} of ${count}`
  if (metric === 'habits')
    return `${integerFormat.format(amount)} of ${integerFormat.format(occasions)} on ${count}`
  return `${metric === 'focus' ? formatDuration(amount) : integerFormat.format(amount)} on ${count}`
}
