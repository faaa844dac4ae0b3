import { ChevronDown, Download } from 'lucide-react'
import { useId, useState } from 'react'
import type { Day } from '#platform/calendar/day.ts'
import { Button } from '#platform/ui/button.tsx'
import { cn } from '#platform/ui/class-names.ts'
import { longDay } from '#platform/ui/day-words.ts'
import type { DayFigure, Measure } from '../day-figure.ts'
import { dayCells, dayHead, downloadCsv } from './download-csv.ts'
import { figureInWords } from './figure-words.ts'
import { useListLink } from './list-link.ts'

interface ShownDaysProps {
  measure: Measure
  today: Day
  /** Each kind of days, in a word or two. */
  kinds: readonly { name: string; days: readonly DayFigure[] }[]
  /** What the days are days of, for the file. */
  about: string
}

/** 'Show the 48 days': the rows behind a finding, in place, each of which leads to what was counted on it. */
export function ShownDays({ measure, today, kinds, about }: ShownDaysProps) {
  const [open, setOpen] = useState(false)
  const region = useId()
  const rows = kinds
    .flatMap(({ name, days }) => days.map((figure) => ({ name, ...figure })))
    .sort((a, b) => (a.day < b.day ? 1 : -1))
  return (
    <div className="mt-2">
      <Button
        variant="quiet"
        aria-expanded={open}
        aria-controls={open ? region : undefined}
        onClick={() => setOpen(!open)}
        className="-ml-2 min-h-8 px-2 py-1 text-small"
      >
        <ChevronDown size={14} className={cn('transition-transform', open && 'rotate-180')} />
        {open ? 'Hide' : 'Show'} the {rows.length} days
      </Button>
      {open && (
        <div id={region}>
          <DayRows measure={measure} today={today} rows={rows} about={about} />
          <Button
            variant="quiet"
            onClick={() =>
              downloadCsv(
                `daymark-${measure}-by-day`,
                [...dayHead[measure], 'kind'],
                rows.map((row) => [...dayCells(measure, row), row.name]),
              )
            }
            className="mt-1 -ml-2 min-h-8 px-2 py-1 text-small"
          >
            <Download size={14} />
            Download CSV
          </Button>
        </div>
      )}
    </div>
  )
}

function DayRows({
  measure,
  today,
  rows,
  about,
}: {
  measure: Measure
  today: Day
  rows: readonly (DayFigure & { name: string })[]
  about: string
}) {
  const link = useListLink()
  return (
    <section aria-label={about} className="mt-1 max-h-72 overflow-y-auto rounded-control ring ring-line">
      <table className="w-full text-small text-ink-2">
        <thead className="sr-only">
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Kind of day</th>
            <th scope="col">Counted</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.day} className="not-last:shadow-[inset_0_-1px_var(--line)]">
              <th scope="row" className="p-0 text-left font-normal">
                <a
                  {...link(measure, { from: row.day, to: row.day })}
                  className="flex min-h-8 items-center px-3 text-ink -outline-offset-2 hover:underline pointer-coarse:min-h-11"
                >
                  {longDay(row.day, today)}
                </a>
              </th>
              <td className="px-3">{row.name}</td>
              <td className="px-3 text-right whitespace-nowrap">{figureInWords(measure, row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
