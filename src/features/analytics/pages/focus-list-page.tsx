import { useMemo } from 'react'
import type { FocusSession } from '#features/focus/sessions/focus-session.ts'
import { useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { clockTime, formatDuration } from '#platform/format/format-time.ts'
import { counted } from '#platform/format/words.ts'
import { useDays, useFocusBySubject, useFocusSessions, useLists } from '../metrics/analytics-queries.ts'
import { sumOf } from '../metrics/day-value.ts'
import { downloadCsv, fileName } from '../metrics/download-csv.ts'
import { formatSum } from '../metrics/format-metric.ts'
import { type FocusShare, sharesBySubject } from '../patterns/focus-shares.ts'
import { ShareSign } from '../patterns/share-sign.tsx'
import { DayGroups, ListPage, ListRow, useListedDays } from './list-page.tsx'

export function FocusListPage() {
  const days = useListedDays()
  const { timeZone } = useUserCalendar()
  const focused = useDays('focus', days)
  const sum = focused.data && sumOf(focused.data)
  const { data, status, problem, retry } = useFocusSessions(days)
  const subjects = useFocusBySubject(days)
  const lists = useLists()
  // A session across midnight is listed on both of its days, each with its own seconds.
  const parts = (data ?? []).flatMap((session) =>
    session.days
      .filter(({ day }) => day >= days.from && day <= days.to)
      .map(({ day, seconds }) => ({ day, seconds, session })),
  )
  const newestDayFirst = parts.toSorted((a, b) => (a.day === b.day ? 0 : a.day < b.day ? 1 : -1))
  const shareOf = useMemo(
    () => new Map(sharesBySubject(subjects.data ?? [], lists.data ?? []).map((share) => [share.key, share])),
    [subjects.data, lists.data],
  )
  const aboutOf = ({ todo_id, habit_id }: FocusSession) => shareOf.get(todo_id ?? habit_id ?? '')
  const reads = [focused, subjects, lists]
  const failed = status === 'failed' || reads.some((each) => each.status === 'failed')
  const ready = status === 'ready' && reads.every((each) => each.status === 'ready')
  return (
    <ListPage
      metric="focus"
      days={days}
      status={failed ? 'failed' : ready ? 'ready' : 'loading'}
      problem={problem ?? reads.find((each) => each.problem)?.problem}
      retry={() => {
        retry()
        for (const each of reads) each.retry()
      }}
      sum={sum ? `${formatSum('focus', sum)}, ${counted(sum.occasions, 'session')}` : ''}
      empty={parts.length === 0}
      onDownload={() =>
        downloadCsv(
          fileName('focus', days),
          ['day', 'seconds', 'started_at', 'ended_at', 'task', 'habit', 'list'],
          newestDayFirst.map(({ day, seconds, session }) => {
            const about = aboutOf(session)
            return [
              day,
              seconds,
              session.started_at ?? '',
              session.ended_at,
              about?.kind === 'todo' ? about.name : '',
              about?.kind === 'habit' ? about.name : '',
              about?.list?.name ?? '',
            ]
          }),
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
              <span className="flex min-w-0 flex-wrap items-baseline gap-x-3">
                {session.started_at === null
                  ? 'Total of the day'
                  : `${clockTime(Date.parse(session.started_at), timeZone)} – ${clockTime(Date.parse(session.ended_at), timeZone)}`}
                <About share={aboutOf(session)} />
              </span>
            </ListRow>
          ))
        }
      </DayGroups>
    </ListPage>
  )
}

function About({ share }: { share: FocusShare | undefined }) {
  if (!share) return null
  return (
    <span
      dir="auto"
      className="inline-flex min-w-0 items-baseline gap-2 text-control text-ink-2 wrap-anywhere"
    >
      {(share.list || share.kind === 'habit') && <ShareSign kind={share.kind} list={share.list} />}
      {share.name}
    </span>
  )
}
