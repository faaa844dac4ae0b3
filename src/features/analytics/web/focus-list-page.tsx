import { clockTime, durationInWords } from '#platform/ui/time-in-words.ts'
import { useUserCalendar } from '#platform/ui/user-calendar.tsx'
import { sumOf } from '../day-figure.ts'
import { useDays, useFocusSessions } from './analytics-queries.ts'
import { downloadCsv } from './download-csv.ts'
import { counted, sumInWords } from './figure-words.ts'
import { DayGroups, fileName, ListPage, ListRow, useListedDays } from './list-page.tsx'

export function FocusListPage() {
  const days = useListedDays()
  const { timeZone } = useUserCalendar()
  const sums = useDays('focus', days)
  const { data, status, trouble, retry } = useFocusSessions(days)
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
      trouble={trouble ?? sums.trouble}
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
      <DayGroups rows={newestDayFirst} dayOf={({ day }) => day}>
        {(ofDay) =>
          ofDay.map(({ session, seconds }) => (
            <ListRow
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
            </ListRow>
          ))
        }
      </DayGroups>
    </ListPage>
  )
}
