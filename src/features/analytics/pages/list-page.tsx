import { Link, useSearch } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useToday } from '#platform/browser/clock/user-calendar.tsx'
import { addDays, type Day } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { longDay } from '#platform/format/format-day.ts'
import { formatRequestProblem, type RequestProblem } from '#platform/sync/network/request-problem.ts'
import { Button, buttonLook } from '#platform/ui/controls/button.tsx'
import { Page } from '#platform/ui/layout/page.tsx'
import { useCountAfterChanges } from '../metrics/analytics-queries.ts'
import type { Metric } from '../metrics/day-value.ts'
import { DownloadButton } from '../metrics/download-button.tsx'
import { formatDays, titleOf } from '../metrics/format-metric.ts'

interface ListPageProps {
  metric: Metric
  /** The title and text; the metric has its own as a default. Set them if only a part of the metric is listed. */
  title?: string
  emptyText?: string
  days: DayRange
  status: 'loading' | 'ready' | 'failed'
  problem: RequestProblem | undefined
  retry(): void
  /** The formatted number that led to this list. */
  sum: string
  empty: boolean
  onDownload(): void
  /** The state of the download; undefined while nothing is being prepared. */
  file?: 'busy' | 'failed' | undefined
  /** A control above the rows that selects some of them. */
  filter?: ReactNode
  children: ReactNode
}

/** The page that lists, day by day, the rows behind a number on the dashboard. */
export function ListPage({
  metric,
  title = titleOf[metric],
  emptyText = emptyTextOf[metric],
  days,
  status,
  problem,
  retry,
  sum,
  empty,
  onDownload,
  file,
  filter,
  children,
}: ListPageProps) {
  const today = useToday()
  const { range } = useSearch({ strict: false })
  useCountAfterChanges()
  return (
    <Page
      title={title}
      subtitle={formatDays(days, today)}
      action={
        <Link
          className={buttonLook({ variant: 'secondary' })}
          to="/analytics"
          search={range === undefined ? {} : { range }}
        >
          <ArrowLeft />
          Analytics
        </Link>
      }
    >
      <div aria-busy={status === 'loading' || undefined} className="mt-6 tabular-nums">
        {filter}
        {status === 'loading' && <ListSkeleton />}
        {status === 'failed' && (
          <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2 text-control text-ink-2">
            <p>The list couldn't be loaded. {problem && formatRequestProblem(problem)}</p>
            <Button variant="secondary" onClick={retry}>
              Try again
            </Button>
          </div>
        )}
        {status === 'ready' && (
          <>
            <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <p className="text-heading">{sum}</p>
              {!empty && (
                <div className="flex flex-wrap items-center gap-x-4">
                  {file === 'failed' && (
                    <p role="alert" className="text-control text-ink-2">
                      The file couldn't be created.
                    </p>
                  )}
                  <DownloadButton busy={file === 'busy'} onClick={onDownload} />
                </div>
              )}
            </div>
            {empty ? <p className="mt-4 text-ink-2">{emptyText}</p> : children}
          </>
        )}
      </div>
    </Page>
  )
}

export const emptyTextOf: Record<Metric, string> = {
  todos: 'No tasks completed on these days.',
  habits: 'No habits due on these days.',
  focus: 'No focus sessions on these days.',
}

/** Groups the rows by the day for which they count, in the order in which the days first appear. */
export function DayGroups<Item>({
  rows,
  dayOf,
  children,
}: {
  rows: readonly Item[]
  dayOf(row: Item): Day
  children(rows: readonly Item[]): ReactNode
}) {
  const byDay = new Map<Day, Item[]>()
  for (const row of rows) {
    const day = dayOf(row)
    const group = byDay.get(day)
    if (group) group.push(row)
    else byDay.set(day, [row])
  }
  return [...byDay].map(([day, group]) => (
    <DayGroup key={day} day={day}>
      {children(group)}
    </DayGroup>
  ))
}

function DayGroup({ day, children }: { day: Day; children: ReactNode }) {
  const today = useToday()
  const heading = useId()
  return (
    <section aria-labelledby={heading} className="mt-6">
      <h2 id={heading} className="text-control font-medium text-ink-2">
        {day === today ? `Today, ${longDay(day, today)}` : longDay(day, today)}
      </h2>
      <ul aria-labelledby={heading} className="mt-1 [list-style-type:'']">
        {children}
      </ul>
    </section>
  )
}

export function ListRow({ end, children }: { end: ReactNode; children: ReactNode }) {
  return (
    <li className="flex min-h-10 items-start gap-3 py-2 text-body">
      {children}
      <span className="ml-auto shrink-0 pt-0.5 text-right text-control text-ink-2">{end}</span>
    </li>
  )
}

const skeletonRows = [60, 45, 70, 35, 55, 40]

function ListSkeleton() {
  return (
    <div>
      <p role="status" className="sr-only">
        Loading...
      </p>
      <div aria-hidden="true">
        <div className="flex min-h-10 items-center">
          <span className="h-5 w-32 rounded-box bg-heat-0" />
        </div>
        {skeletonRows.map((width) => (
          <div key={width} className="mt-6 h-4 rounded-box bg-heat-0" style={{ width: `${width}%` }} />
        ))}
      </div>
    </div>
  )
}

/** The days in the URL, or the last 30. */
export function useListedDays(): DayRange {
  const today = useToday()
  const { from = addDays(today, -29), to = today } = useSearch({ strict: false })
  return { from, to }
}
