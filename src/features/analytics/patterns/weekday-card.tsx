import { useId, useState } from 'react'
import { addDays, type Day } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { weekdayOf } from '#platform/calendar/week.ts'
import { longWeekday } from '#platform/format/format-day.ts'
import { counted } from '#platform/format/words.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Segments } from '#platform/ui/controls/segments.tsx'
import type { Metric } from '../metrics/day-value.ts'
import { formatDays, metricOptions } from '../metrics/format-metric.ts'
import { formatRate } from '../metrics/format-rate.ts'
import { ShareBar } from '../metrics/share-bar.tsx'
import { WithDays } from './shown-days.tsx'
import { bestWeekday, minOfEachWeekday, type WeekdayValue } from './weekdays.ts'

const rateHead: Record<Metric, string> = {
  habits: 'Share of daily habits done',
  todos: 'Tasks completed per day',
  focus: 'Focus time per day',
}

interface WeekdayCardProps {
  weekdays: Record<Metric, WeekdayValue[]>
  sampleRange: DayRange | undefined
  today: Day
}

/** Compares the weekdays and names the best one. */
export function WeekdayCard({ weekdays, sampleRange, today }: WeekdayCardProps) {
  const [metric, setMetric] = useState<Metric>('habits')
  const heading = useId()
  const shown = weekdays[metric]
  const best = bestWeekday(shown)
  const highest = metric === 'habits' ? 1 : Math.max(...shown.map(({ rate }) => rate ?? 0), 0)
  return (
    <WithDays
      metric={metric}
      today={today}
      about={`${rateHead[metric]}, day by day`}
      kinds={shown.map((weekday) => ({ name: nameOf(weekday, today), days: weekday.days }))}
    >
      {(button) => (
        <section aria-labelledby={heading} className="rounded-card bg-raised p-5 ring ring-line max-sm:p-4">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <h2 id={heading} className="text-control font-medium text-ink-2">
              Best day of the week
            </h2>
            <Segments aria-labelledby={heading} options={metricOptions} value={metric} onChange={setMetric} />
          </div>
          <p className="mt-3 text-control">
            {best ? (
              <>
                <span className="font-semibold">{nameOf(best, today)}</span>
                <span className="text-ink-2">
                  , {formatRate(metric, best, best.days.length)}
                  {metric === 'habits' ? '' : ' per day'} on {counted(best.days.length, nameOf(best, today))}
                </span>
              </>
            ) : (
              <span className="text-ink-2">
                {shown.length === 7 && shown.every(({ days }) => days.length >= minOfEachWeekday)
                  ? 'No day of the week stands out.'
                  : `Shown once there are ${minOfEachWeekday} of each weekday.`}
              </span>
            )}
          </p>
          {shown.length > 0 && (
            <table className="mt-3 w-full text-small">
              <caption className="sr-only">
                {rateHead[metric]}
                {sampleRange && `, ${formatDays(sampleRange, today)}`}
              </caption>
              <thead className="sr-only">
                <tr>
                  <th scope="col">Day of the week</th>
                  <th scope="col" colSpan={2}>
                    {rateHead[metric]}
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown.map((weekday) => (
                  <tr key={weekday.weekday}>
                    <th
                      scope="row"
                      className={cn(
                        'w-0 py-1 pr-4 text-left',
                        weekday === best ? 'font-semibold text-ink' : 'font-normal text-ink-2',
                      )}
                    >
                      {nameOf(weekday, today)}
                    </th>
                    <td aria-hidden="true">
                      <ShareBar value={weekday.rate ?? 0} of={highest} strong={weekday === best} />
                    </td>
                    <td
                      className={cn(
                        'w-0 py-1 pl-4 text-right whitespace-nowrap @max-[16em]:whitespace-normal',
                        weekday === best && 'font-semibold',
                      )}
                    >
                      {formatRate(metric, weekday, weekday.days.length)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {sampleRange && shown.length > 0 && (
            <>
              <p className="mt-3 text-small text-ink-2">
                {rateHead[metric]}, {formatDays(sampleRange, today)}.
              </p>
              {button}
            </>
          )}
        </section>
      )}
    </WithDays>
  )
}

/** The name of the weekday: 'Tuesday'. */
function nameOf({ weekday }: WeekdayValue, today: Day): string {
  return longWeekday(addDays(today, weekday - weekdayOf(today)))
}
