import { useId, useMemo, useState } from 'react'
import type { Day } from '#platform/calendar/day.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { formatDuration } from '#platform/format/format-time.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Segments } from '#platform/ui/controls/segments.tsx'
import { useFocusBySubject, useLists } from '../metrics/analytics-queries.ts'
import { CardFailure } from '../metrics/card-frame.tsx'
import { DownloadButton } from '../metrics/download-button.tsx'
import { downloadCsv, fileName } from '../metrics/download-csv.ts'
import { formatDays, formatRange } from '../metrics/format-metric.ts'
import type { Range } from '../metrics/range.ts'
import { daysOf } from '../metrics/range-days.ts'
import { ShareBar } from '../metrics/share-bar.tsx'
import { sharesByList, sharesBySubject } from './focus-shares.ts'
import { ShareSign } from './share-sign.tsx'

const options = [
  { value: 'subject', label: 'Tasks and habits' },
  { value: 'list', label: 'Lists' },
] as const

/** How many rows are shown at first; a button shows the rest. */
const fewRows = 8

/** What the focus time of the range was spent on: a chart that is also a table. */
export function FocusSharesCard({ range, today }: { range: Range; today: Day }) {
  const [by, setBy] = useState<'subject' | 'list'>('subject')
  const [isOpen, setOpen] = useState(false)
  const heading = useId()
  const days = useMemo(() => daysOf(range, today), [range, today])
  const subjects = useFocusBySubject(days)
  const lists = useLists()
  const shares = useMemo(() => {
    if (!subjects.data || !lists.data) return undefined
    return (by === 'list' ? sharesByList : sharesBySubject)(subjects.data, lists.data)
  }, [subjects.data, lists.data, by])
  const failed = [subjects, lists].find(({ status }) => status === 'failed')
  const shown = isOpen ? shares : shares?.slice(0, fewRows)
  const most = Math.max(0, ...(shares ?? []).map(({ seconds }) => seconds))
  return (
    <section
      aria-labelledby={heading}
      aria-busy={(!shares && !failed) || undefined}
      className="rounded-card bg-raised p-5 ring ring-line max-sm:p-4"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id={heading} className="text-control font-medium text-ink-2">
          What you focused on
        </h2>
        <Segments aria-labelledby={heading} options={options} value={by} onChange={setBy} />
      </div>
      {failed && (
        <CardFailure
          what="What you focused on"
          problem={failed.problem}
          onRetry={() => {
            subjects.retry()
            lists.retry()
          }}
        />
      )}
      {!failed && !shown && <Skeleton />}
      {!failed && shares?.length === 0 && (
        <p className="mt-3 text-control text-ink-2">No focus sessions in {formatRange(range)}.</p>
      )}
      {!failed && shares && shown && shares.length > 0 && (
        <>
          <table className="mt-3 w-full text-small">
            <caption className="sr-only">Focus time, {formatDays(days, today)}</caption>
            <thead className="sr-only">
              <tr>
                <th scope="col">{by === 'list' ? 'List' : 'Task or habit'}</th>
                <th scope="col" colSpan={2}>
                  Focus time
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ key, kind, name, list, seconds }) => (
                <tr key={key}>
                  <th
                    scope="row"
                    dir="auto"
                    className="w-1/2 py-1 pr-4 text-start font-normal text-ink-2 wrap-anywhere"
                  >
                    <span className="inline-flex items-baseline gap-2">
                      <ShareSign kind={kind} list={list} />
                      {name}
                    </span>
                  </th>
                  <td aria-hidden="true" className="@max-[16em]:hidden">
                    <ShareBar value={seconds} of={most} strong={kind !== 'nothing'} />
                  </td>
                  <td className="w-0 py-1 pl-4 text-right font-semibold whitespace-nowrap @max-[16em]:whitespace-normal">
                    {formatDuration(seconds)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <div className="mt-3 flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <p className="text-small text-ink-2">Focus time, {formatDays(days, today)}.</p>
            <span className="flex flex-wrap items-center gap-x-2">
              {shares.length > fewRows && (
                <Button variant="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                  {isOpen ? 'Show fewer' : `Show all ${integerFormat.format(shares.length)}`}
                </Button>
              )}
              <DownloadButton
                onClick={() =>
                  downloadCsv(
                    fileName(by === 'list' ? 'focus-by-list' : 'focus-by-subject', days),
                    by === 'list' ? ['list', 'seconds'] : ['kind', 'subject', 'list', 'seconds'],
                    shares.map(({ kind, name, list, seconds }) =>
                      by === 'list'
                        ? [name, seconds]
                        : [kindInFile[kind] ?? '', kind === 'nothing' ? '' : name, list?.name ?? '', seconds],
                    ),
                  )
                }
              />
            </span>
          </div>
        </>
      )}
    </section>
  )
}

const kindInFile: Record<string, string> = { todo: 'task', habit: 'habit' }

function Skeleton() {
  return (
    <div className="mt-3">
      <p role="status" className="sr-only">
        Loading...
      </p>
      {[1, 2, 3].map((row) => (
        <span key={row} aria-hidden="true" className="mt-3 block h-2 rounded-box bg-heat-0" />
      ))}
    </div>
  )
}
