import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { Day } from '#platform/calendar/day.ts'
import { longDay } from '#platform/format/format-day.ts'
import { counted } from '#platform/format/words.ts'
import { cn } from '#platform/ui/class-names.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import type { DayValue, Metric } from '../metrics/day-value.ts'
import { DownloadButton } from '../metrics/download-button.tsx'
import { dayCells, dayHead, downloadCsv } from '../metrics/download-csv.ts'
import { formatValue } from '../metrics/format-metric.ts'
import type { HabitScope } from '../metrics/habit-scope.ts'
import { useListLink } from '../metrics/list-link.ts'

interface WithDaysProps {
  metric: Metric
  today: Day
  /** Each kind of days and its short name. */
  kinds: readonly { name: string; days: readonly DayValue[] }[]
  /** The habit that is counted; if undefined, all habits that were due on a particular day. */
  habit?: string | undefined
  /** The label of the region that shows the days. */
  about: string
  /** Renders the card with the given button, which shows the days. */
  children(button: ReactNode): ReactNode
}

/**
 * A card with a button such as 'Show the 48 days'. The button shows the rows behind the finding, each with a link to what was
 * counted on that day. The rows appear below the whole row of cards, which has to be in a dense grid so that no hole remains
 * beside the card.
 */
export function WithDays({ metric, today, kinds, habit, about, children }: WithDaysProps) {
  const scope: HabitScope = metric !== 'habits' ? {} : habit === undefined ? { daily: 1 } : { habit }
  const [open, setOpen] = useState(false)
  const region = useId()
  const heading = useId()
  const rows = kinds
    .flatMap(({ name, days }) => days.map((value) => ({ name, ...value })))
    .sort((a, b) => (a.day < b.day ? 1 : -1))
  return (
    <>
      {children(
        <Button
          variant="quiet"
          aria-expanded={open}
          aria-controls={open ? region : undefined}
          onClick={() => setOpen(!open)}
          className="mt-2 -ml-2 min-h-8 px-2 py-1 text-small"
        >
          <ChevronDown size={14} className={cn('transition-transform', open && 'rotate-180')} />
          {open ? 'Hide' : 'Show'} {counted(rows.length, 'day')}
        </Button>,
      )}
      {open && (
        <section
          id={region}
          aria-labelledby={heading}
          className="col-span-full rounded-card bg-raised p-5 ring ring-line max-sm:p-4"
        >
          <div className="flex flex-wrap items-center gap-x-4">
            <h3
              id={heading}
              className="min-w-0 flex-[1_1_9rem] text-control font-medium text-ink-2 wrap-anywhere"
            >
              {about}
            </h3>
            <DownloadButton
              onClick={() =>
                downloadCsv(
                  `daymark-${metric}-by-day`,
                  [...dayHead[metric], 'kind'],
                  rows.map((row) => [...dayCells(metric, row), row.name]),
                )
              }
              className="min-h-8 py-1 text-small"
            />
          </div>
          <DayRows metric={metric} today={today} rows={rows} scope={scope} />
        </section>
      )}
    </>
  )
}

function DayRows({
  metric,
  today,
  rows,
  scope,
}: {
  metric: Metric
  today: Day
  rows: readonly (DayValue & { name: string })[]
  scope: HabitScope
}) {
  const link = useListLink()
  return (
    <div className="mt-2 -mx-3 max-h-72 overflow-y-auto">
      <table className="w-full text-small text-ink-2">
        <thead className="sr-only">
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Type of day</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.day} className="not-last:shadow-[inset_0_-1px_var(--line)]">
              <th scope="row" className="p-0 text-left font-normal">
                <a
                  {...link(metric, { from: row.day, to: row.day }, scope)}
                  className="flex min-h-8 items-center px-3 text-ink -outline-offset-2 hover:underline pointer-coarse:min-h-11"
                >
                  {longDay(row.day, today)}
                </a>
              </th>
              <td className="px-3">{row.name}</td>
              <td className="px-3 text-right whitespace-nowrap">{formatValue(metric, row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
