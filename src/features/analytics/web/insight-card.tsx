import type { Day } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { inDigits } from '#platform/ui/number-words.ts'
import { durationInWords } from '#platform/ui/time-in-words.ts'
import type { Measure } from '../day-figure.ts'
import { type Insight, type Side, toldOf } from '../insights.ts'
import { daysInWords, noInsightsInWords } from './figure-words.ts'
import { rateInWords } from './rate-words.ts'
import { ShareBar } from './share-bar.tsx'
import { WithDays } from './shown-days.tsx'

const sides = {
  focus: { one: 'With focus', other: 'Without focus', daysOne: 'days with focus', daysOther: 'days without' },
  weekend: { one: 'Weekdays', other: 'Weekends', daysOne: 'weekdays', daysOther: 'weekend days' },
}

/** A finding: the sentence, both numbers, the sample, and the way to its rows. It says what was, never why. */
export function InsightCard({
  insight,
  looked,
  today,
}: {
  insight: Insight
  looked: DayRange | undefined
  today: Day
}) {
  const { measure, split, habit, one, other } = insight
  const names = sides[split]
  const whole = measure === 'habits' ? 1 : Math.max(toldOf(measure, one), toldOf(measure, other)) * 1.1
  const bars = [
    { name: names.one, side: one },
    { name: names.other, side: other },
  ]
  return (
    <WithDays
      measure={measure}
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
                  <ShareBar value={toldOf(measure, side)} of={whole} strong={place === 0} />
                  <span className="text-right font-semibold">
                    {rateInWords(measure, side, side.days.length)}
                  </span>
                </dd>
              </div>
            ))}
          </dl>
          <p className="mt-3 text-small text-ink-2">
            {habit === undefined ? unitOfRate[measure] : 'Done'}
            {looked && `, ${daysInWords(looked, today)}`}: {sampleOf(insight, one)} {names.daysOne},{' '}
            {sampleOf(insight, other)} {names.daysOther}.
          </p>
          {button}
        </article>
      )}
    </WithDays>
  )
}

/** What is missing, and that nothing is wrong. */
export function NoInsights(days: { withFocus: number; without: number }) {
  return (
    <p className="col-span-full rounded-card bg-raised p-5 text-control text-ink-2 ring ring-line max-sm:p-4">
      {noInsightsInWords(days)}
    </p>
  )
}

const unitOfRate: Record<Measure, string> = {
  todos: 'Tasks completed per day',
  habits: 'Share of daily habits done',
  focus: 'Focus time per day',
}

function findingOf({ measure, split, habit, one, other }: Insight): string {
  const more = toldOf(measure, one) > toldOf(measure, other)
  if (split === 'focus') {
    const much = more ? 'more' : 'fewer'
    const what = measure === 'habits' ? `complete ${much} of your daily habits` : `complete ${much} tasks`
    return `You ${what} on days with a focus session.`
  }
  const when = more ? 'weekdays' : 'weekends'
  if (habit !== undefined) return `You do “${habit}” more often on ${when}.`
  return measure === 'focus' ? `You focus longer on ${when}.` : `You complete more tasks on ${when}.`
}

function sampleOf({ measure, habit }: Insight, { amount, beside, days }: Side): string {
  const count = inDigits.format(days.length)
  // Of one habit, each day is one that it was due on.
  if (habit !== undefined) return `${inDigits.format(amount)} of ${count}`
  if (measure === 'habits') return `${inDigits.format(amount)} of ${inDigits.format(beside)} on ${count}`
  return `${measure === 'focus' ? durationInWords(amount) : inDigits.format(amount)} on ${count}`
}
