import { Link, useSearch } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { addDays, type Day } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { type Trouble, troubleInWords } from '#platform/sync/trouble.ts'
import { Button } from '#platform/ui/button.tsx'
import { longDay } from '#platform/ui/day-words.ts'
import { Page } from '#platform/ui/page.tsx'
import { useToday } from '#platform/ui/user-calendar.tsx'
import type { Measure } from '../day-figure.ts'
import { useCountAfterChanges } from './analytics-queries.ts'
import { DownloadButton } from './download-button.tsx'
import { daysInWords, titleOf } from './figure-words.ts'

interface ListPageProps {
  measure: Measure
  /** Those of the measure, unless only a part of it is listed. */
  title?: string
  nothing?: string
  days: DayRange
  status: 'loading' | 'ready' | 'failed'
  trouble: Trouble | undefined
  retry(): void
  /** The number that led here, in words. */
  sum: string
  empty: boolean
  onDownload(): void
  /** What has become of the file, where it takes its time. */
  file?: 'busy' | 'failed' | undefined
  children: ReactNode
}

/** What a number of the dashboard counts, day by day. */
export function ListPage({
  measure,
  title = titleOf[measure],
  nothing = nothingOf[measure],
  days,
  status,
  trouble,
  retry,
  sum,
  empty,
  onDownload,
  file,
  children,
}: ListPageProps) {
  const today = useToday()
  const { range } = useSearch({ strict: false })
  useCountAfterChanges()
  return (
    <Page
      title={title}
      subtitle={daysInWords(days, today)}
      action={
        <Button asChild variant="secondary">
          <Link to="/analytics" search={range === undefined ? {} : { range }}>
            <ArrowLeft />
            Analytics
          </Link>
        </Button>
      }
    >
      <div aria-busy={status === 'loading' || undefined} className="mt-6 tabular-nums">
        {status === 'loading' && <ListSkeleton />}
        {status === 'failed' && (
          <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2 text-control text-ink-2">
            <p>The list couldn't be loaded. {trouble && troubleInWords(trouble)}</p>
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
            {empty ? <p className="mt-4 text-ink-2">{nothing}</p> : children}
          </>
        )}
      </div>
    </Page>
  )
}

export const nothingOf: Record<Measure, string> = {
  todos: 'No tasks completed on these days.',
  habits: 'No habits due on these days.',
  focus: 'No focus sessions on these days.',
}

/** The rows under the day that they count on, in the order in which the days first come. */
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

/** Those of the address, or the last 30. */
export function useListedDays(): DayRange {
  const today = useToday()
  const { from = addDays(today, -29), to = today } = useSearch({ strict: false })
  return { from, to }
}

export function fileName(of: string, { from, to }: DayRange): string {
  return `daymark-${of}-${from}-${to}`
}
