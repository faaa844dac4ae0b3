import { useUserCalendar } from '#platform/browser/user-calendar.tsx'
import { clockTime, formatDuration } from '#platform/format/format-time.ts'
import { sumOf } from '../day-value.ts'
import { useDays, useFocusSessions } from './analytics-queries.ts'
import { downloadCsv } from './download-csv.ts'
import { formatCount, formatSum } from './format-metric.ts'
import { DayGroups, fileName, ListPage, ListRow, useListedDays } from './list-page.tsx'

export function FocusListPage() {
  const days = useListedDays()
  const { timeZone } = useUserCalendar()
  const sums = useDays('focus', days)
  const { data, status, problem, retry } = useFocusSessions(days)
  const sum = sumOf(sums.data ?? [])
  // A session over midnight is listed on both of its days, with the seconds of each.
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
      metric="focus"
      days={days}
      status={failed ? 'failed' : ready ? 'ready' : 'loading'}
      problem={problem ?? sums.problem}
      retry={() => {
        retry()
        sums.retry()
      }}
      sum={`${formatSum('focus', sum)}, ${formatCount(sum.occasions, 'session')}`}
      empty={parts.length === 0}
      onDownload={() =>
        downloadCsv(
          fileName('focus', days),
          ['day', 'seconds', 'started_at', 'ended_at'],
          newestDayFirst.map(({ day, seconds, session }) => [
            day,
            seconds,
            session.started_at ?? '',
            session.ended_at,
          ]),
        )
      }
    >
      <DayGroups rows={newestDayFirst} dayOf={({ day }) => day}>
        {(ofDay) =>
          ofDay.map(({ session, seconds }) => (
            <ListRow
              key={session.id}
              end={
                seconds === session.duration
                  ? formatDuration(seconds)
                  : `${formatDuration(seconds)} of ${formatDuration(session.duration)}`
              }
            >
              <span>
                {session.started_at === null
                  ? 'Total of the day'
                  : `${clockTime(Date.parse(session.started_at), timeZone)} – ${clockTime(Date.parse(session.ended_at), timeZone)}`}
              </span>
            </ListRow>
          ))
        }
      </DayGroups>
    </ListPage>
  )
}
