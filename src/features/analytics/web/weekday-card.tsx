import { useId, useState } from 'react'
import { addDays, type Day } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { weekdayOf } from '#platform/calendar/week.ts'
import { cn } from '#platform/ui/class-names.ts'
import { longWeekday } from '#platform/ui/day-words.ts'
import { Segments } from '#platform/ui/segments.tsx'
import type { Measure } from '../day-figure.ts'
import { bestWeekday, leastWeekdays, type WeekdayFigure } from '../weekdays.ts'
import { counted, daysInWords } from './figure-words.ts'
import { rateInWords } from './rate-words.ts'
import { ShareBar } from './share-bar.tsx'
import { WithDays } from './shown-days.tsx'

const options = [
  { value: 'habits', label: 'Habits' },
  { value: 'todos', label: 'Tasks' },
  { value: 'focus', label: 'Focus' },
] as const

const rateHead: Record<Measure, string> = {
  habits: 'Share of daily habits done',
  todos: 'Tasks completed per day',
  focus: 'Focus time per day',
}

interface WeekdayCardProps {
  weekdays: Record<Measure, WeekdayFigure[]>
  looked: DayRange | undefined
  today: Day
}

/** The weekdays beside each other, and which of them is the best. */
export function WeekdayCard({ weekdays, looked, today }: WeekdayCardProps) {
  const [measure, setMeasure] = useState<Measure>('habits')
  const heading = useId()
  const shown = weekdays[measure]
  const best = bestWeekday(shown)
  const highest = measure === 'habits' ? 1 : Math.max(...shown.map(({ rate }) => rate ?? 0), 0)
  return (
    <WithDays
      measure={measure}
      today={today}
      about={`${rateHead[measure]}, day by day`}
      kinds={shown.map((weekday) => ({ name: nameOf(weekday, today), days: weekday.days }))}
    >
      {(button) => (
        <section aria-labelledby={heading} className="rounded-card bg-raised p-5 ring ring-line max-sm:p-4">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <h2 id={heading} className="text-control font-medium text-ink-2">
              Best day of the week
            </h2>
            <Segments aria-labelledby={heading} options={options} value={measure} onChange={setMeasure} />
          </div>
          <p className="mt-3 text-control">
            {best ? (
              <>
                <span className="font-semibold">{nameOf(best, today)}</span>
                <span className="text-ink-2">
                  , {rateInWords(measure, best, best.days.length)}
                  {measure === 'habits' ? '' : ' per day'} on {counted(best.days.length, nameOf(best, today))}
                </span>
              </>
            ) : (
              <span className="text-ink-2">
                {shown.length === 7 && shown.every(({ days }) => days.length >= leastWeekdays)
                  ? 'No day of the week stands out.'
                  : `Shown once there are ${leastWeekdays} of each weekday.`}
              </span>
            )}
          </p>
          {shown.length > 0 && (
            <table className="mt-3 w-full text-small">
              <caption className="sr-only">
                {rateHead[measure]}
                {looked && `, ${daysInWords(looked, today)}`}
              </caption>
              <thead className="sr-only">
                <tr>
                  <th scope="col">Day of the week</th>
                  <th scope="col" colSpan={2}>
                    {rateHead[measure]}
                  </th>
                </tr>
              </thead>
              <tbody>
                {shown.map((weekday) => (
                  <tr key={weekday.weekday}>
                    <th
                      scope="row"
                      className={cn(
                        'w-0 py-1 pr-4 text-left font-normal text-ink-2',
                        weekday === best && 'font-semibold text-ink',
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
                      {rateInWords(measure, weekday, weekday.days.length)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {looked && shown.length > 0 && (
            <>
              <p className="mt-3 text-small text-ink-2">
                {rateHead[measure]}, {daysInWords(looked, today)}.
              </p>
              {button}
            </>
          )}
        </section>
      )}
    </WithDays>
  )
}

/** 'Tuesday' */
function nameOf({ weekday }: WeekdayFigure, today: Day): string {
  return longWeekday(addDays(today, weekday - weekdayOf(today)))
}
