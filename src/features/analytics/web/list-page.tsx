import { Link, useSearch } from '@tanstack/react-router'
import { ArrowLeft, Check, Download, Minus } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { addDays, type Day } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { Button } from '#platform/ui/button.tsx'
import { longDay } from '#platform/ui/day-words.ts'
import { inDigits } from '#platform/ui/number-words.ts'
import { Page } from '#platform/ui/page.tsx'
import { clockTime, durationInWords } from '#platform/ui/time-in-words.ts'
import { useToday, useUserCalendar } from '#platform/ui/user-calendar.tsx'
import { type Measure, sumOf } from '../day-figure.ts'
import {
  useCompletedTodos,
  useCountAfterChanges,
  useDays,
  useFocusSessions,
  useHabitsDue,
} from './analytics-queries.ts'
import { downloadCsv } from './download-csv.ts'
import { counted, daysInWords, sumInWords, titleOf } from './figure-words.ts'

export function TodosListPage() {
  const days = useListedDays()
  const { timeZone } = useUserCalendar()
  const list = useCompletedTodos(days)
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      const all = await list.loadAll()
      const rows = all.map((todo) => [todo.completed_on, todo.title, todo.completed_at ?? ''])
      downloadCsv(fileName('todos', days), ['day', 'title', 'completed_at'], rows)
    } catch {
      // The list says underneath that it could not go on.
    } finally {
      setBusy(false)
    }
  }
  return (
    <ListPage
      measure="todos"
      days={days}
      status={list.status}
      retry={list.retry}
      sum={sumInWords('todos', { amount: list.count, beside: 0 })}
      empty={list.count === 0}
      onDownload={() => void download()}
      downloading={busy}
    >
      <Days rows={list.todos ?? []} dayOf={({ completed_on }) => completed_on}>
        {(todos) =>
          todos.map(({ id, title, completed_at }) => (
            <Row key={id} end={completed_at && clockTime(Date.parse(completed_at), timeZone)}>
              <Check size={16} aria-hidden="true" className="mt-1 shrink-0 text-accent" />
              <span className="min-w-0 wrap-anywhere">{title}</span>
            </Row>
          ))
        }
      </Days>
      {(list.more || list.moreFailed) && (
        <div className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2 text-control text-ink-2">
          <Button variant="secondary" busy={list.loadingMore} onClick={list.loadMore}>
            {list.moreFailed ? 'Try again' : 'Load more'}
          </Button>
          <span role="status">
            {list.moreFailed
              ? 'The next ones could not be loaded.'
              : `${inDigits.format(list.todos?.length ?? 0)} of ${inDigits.format(list.count)}`}
          </span>
        </div>
      )}
    </ListPage>
  )
}

export function HabitsListPage() {
  const days = useListedDays()
  const { data, status, retry } = useHabitsDue(days)
  const rows = data ?? []
  const completed = rows.filter((row) => row.completed).length
  return (
    <ListPage
      measure="habits"
      days={days}
      status={status}
      retry={retry}
      sum={sumInWords('habits', { amount: completed, beside: rows.length })}
      empty={rows.length === 0}
      onDownload={() =>
        downloadCsv(
          fileName('habits', days),
          ['day', 'habit', 'completed'],
          rows.map((row) => [row.day, row.name, row.completed ? 1 : 0]),
        )
      }
    >
      <Days rows={rows.toReversed()} dayOf={({ day }) => day}>
        {(habits) =>
          habits.toReversed().map((row) => (
            <Row key={row.id} end={row.completed ? 'Done' : 'Not done'}>
              {row.completed ? (
                <Check size={16} aria-hidden="true" className="mt-1 shrink-0 text-accent" />
              ) : (
                <Minus size={16} aria-hidden="true" className="mt-1 shrink-0 text-ink-3" />
              )}
              <span className="min-w-0 wrap-anywhere">{row.name}</span>
            </Row>
          ))
        }
      </Days>
    </ListPage>
  )
}

export function FocusListPage() {
  const days = useListedDays()
  const { timeZone } = useUserCalendar()
  const sums = useDays('focus', days)
  const { data, status, retry } = useFocusSessions(days)
  const sum = sumOf(sums.data ?? [])
  // A session over midnight stands on both of its days, with the seconds of each.
  const parts = (data ?? []).flatMap((session) =>
    session.days
      .filter(({ day }) => day >= days.from && day <= days.to)
      .map(({ day, seconds }) => ({ day, seconds, session })),
  )
  const newestDayFirst = parts.toSorted((a, b) => (a.day === b.day ? 0 : a.day < b.day ? 1 : -1))
  const failed = status === 'failed' || sums.status === 'failed'
  const ready = status === 'ready' && sums.status === 'ready'
  return (
    <ListPage
      measure="focus"
      days={days}
      status={failed ? 'failed' : ready ? 'ready' : 'loading'}
      retry={() => {
        retry()
        sums.retry()
      }}
      sum={`${sumInWords('focus', sum)}, ${counted(sum.beside, 'session')}`}
      empty={parts.length === 0}
      onDownload={() =>
        downloadCsv(
          fileName('focus', days),
          ['day', 'seconds', 'started_at', 'ended_at'],
          newestDayFirst.map(({ day, seconds, session }) => [
            day,
            seconds,
            session.started_at,
            session.ended_at,
          ]),
        )
      }
    >
      <Days rows={newestDayFirst} dayOf={({ day }) => day}>
        {(ofDay) =>
          ofDay.map(({ session, seconds }) => (
            <Row
              key={session.id}
              end={
                seconds === session.duration
                  ? durationInWords(seconds)
                  : `${durationInWords(seconds)} of ${durationInWords(session.duration)}`
              }
            >
              <span>
                {clockTime(Date.parse(session.started_at), timeZone)} –{' '}
                {clockTime(Date.parse(session.ended_at), timeZone)}
              </span>
            </Row>
          ))
        }
      </Days>
    </ListPage>
  )
}

interface ListPageProps {
  measure: Measure
  days: DayRange
  status: 'loading' | 'ready' | 'failed'
  retry(): void
  /** The number that led here, in words. */
  sum: string
  empty: boolean
  onDownload(): void
  downloading?: boolean
  children: ReactNode
}

/** What a number of the dashboard counts, day by day. */
function ListPage({
  measure,
  days,
  status,
  retry,
  sum,
  empty,
  onDownload,
  downloading = false,
  children,
}: ListPageProps) {
  const today = useToday()
  const { range } = useSearch({ strict: false })
  useCountAfterChanges()
  return (
    <Page
      title={titleOf[measure]}
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
            The list could not be loaded.
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
                <Button variant="quiet" busy={downloading} onClick={onDownload} className="-mr-2 px-2">
                  <Download />
                  Download CSV
                </Button>
              )}
            </div>
            {empty ? <p className="mt-4 text-ink-2">{nothing[measure]}</p> : children}
          </>
        )}
      </div>
    </Page>
  )
}

const nothing: Record<Measure, string> = {
  todos: 'No todo was completed on these days.',
  habits: 'No habit was due on these days.',
  focus: 'No focus session was recorded on these days.',
}

/** The rows under the day that they count on, in the order in which the days first come. */
function Days<Item>({
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

function Row({ end, children }: { end: ReactNode; children: ReactNode }) {
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
function useListedDays(): DayRange {
  const today = useToday()
  const { from = addDays(today, -29), to = today } = useSearch({ strict: false })
  return { from, to }
}

function fileName(measure: Measure, { from, to }: DayRange): string {
  return `daymark-${measure}-${from}-${to}`
}
