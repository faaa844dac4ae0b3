import { useId } from 'react'
import type { Day } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { formatDuration } from '#platform/format/format-time.ts'
import { formatDays } from '../metrics/format-metric.ts'
import { formatRate } from '../metrics/format-rate.ts'
import { ShareBar } from '../metrics/share-bar.tsx'
import type { FocusBand } from './focus-and-habits.ts'
import { WithDays } from './shown-days.tsx'

interface FocusAndHabitsProps {
  bands: readonly FocusBand[]
  sampleRange: DayRange | undefined
  today: Day
}

/** How many habits were done on days with little and with much focus time. The card claims no cause. */
export function FocusAndHabits({ bands, sampleRange, today }: FocusAndHabitsProps) {
  const heading = useId()
  const hasDays = bands.some(({ days }) => days.length > 0)
  return (
    <WithDays
      metric="habits"
      today={today}
      about="Focus time and habits, day by day"
      kinds={bands.map((band) => ({ name: nameOf(band), days: band.days }))}
    >
      {(button) => (
        <section aria-labelledby={heading} className="rounded-card bg-raised p-5 ring ring-line max-sm:p-4">
          <h2 id={heading} className="flex min-h-10 items-center text-control font-medium text-ink-2">
            Focus time and habits
          </h2>
          {hasDays && sampleRange ? (
            <>
              <table className="mt-3 w-full text-small">
                <thead className="text-left text-ink-2">
                  <tr>
                    <th
                      scope="col"
                      className="pb-1 font-normal whitespace-nowrap @max-[16em]:whitespace-normal"
                    >
                      Focus time that day
                    </th>
                    <th scope="col" colSpan={2} className="pb-1 pl-4 font-normal wrap-anywhere">
                      Daily habits done
                    </th>
                    <th scope="col" className="pb-1 pl-4 text-right font-normal">
                      Days
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {bands.map((band) => (
                    <tr key={nameOf(band)}>
                      <th
                        scope="row"
                        className="w-0 py-1.5 text-left font-normal whitespace-nowrap @max-[16em]:whitespace-normal text-ink-2"
                      >
                        {nameOf(band)}
                      </th>
                      <td aria-hidden="true" className="pl-4 @max-[16em]:hidden">
                        <ShareBar value={band.amount} of={band.occasions} strong />
                      </td>
                      <td className="w-0 py-1.5 pl-4 text-right font-semibold whitespace-nowrap @max-[16em]:whitespace-normal">
                        {formatRate('habits', band, band.days.length)}
                      </td>
                      <td className="w-0 py-1.5 pl-4 text-right text-ink-2">
                        {integerFormat.format(band.days.length)}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              <p className="mt-3 text-small text-ink-2">
                Share of the daily habits due on those days, {formatDays(sampleRange, today)}.
              </p>
              {button}
            </>
          ) : (
            <p className="mt-3 text-control text-ink-2">Will appear here once a daily habit has been due.</p>
          )}
        </section>
      )}
    </WithDays>
  )
}

function nameOf({ over, upTo }: FocusBand): string {
  if (upTo === 0) return 'None'
  return Number.isFinite(upTo) ? `Up to ${formatDuration(upTo)}` : `Over ${formatDuration(over)}`
}
