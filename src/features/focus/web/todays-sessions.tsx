import { Trash2 } from 'lucide-react'
import { moveFocusFromRows } from '#platform/browser/row-focus.ts'
import { useSingleKeys } from '#platform/browser/shortcuts.ts'
import { useToday, useUserCalendar } from '#platform/browser/user-calendar.tsx'
import { type Day, instantToWire } from '#platform/calendar/day.ts'
import { integerFormat } from '#platform/format/format-number.ts'
import { clockTime, formatDuration } from '#platform/format/format-time.ts'
import { formatRequestProblem } from '#platform/sync/network/request-problem.ts'
import { useOfferUndo } from '#platform/sync/react/offer-undo.ts'
import { useCollection, useWrite } from '#platform/sync/react/use-collection.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Keys } from '#platform/ui/controls/key.tsx'
import { type FocusSession, secondsOn } from '../focus-session.ts'
import { focusSessionList } from '../focus-session-list.ts'
import { FocusBlocks, type Unrecorded } from './focus-blocks.tsx'
import { deleteFocusSession } from './focus-queries.ts'
import { startOrPause } from './focus-shortcuts.ts'

/** The sessions of the person's day. */
export function TodaysSessions({ unrecorded }: { unrecorded: Unrecorded | undefined }) {
  const { rows, status, problem, retry } = useCollection(focusSessionList)
  const today = useToday()
  const { timeZone } = useUserCalendar()
  const remove = useRemove()

  if (problem) {
    return (
      <div role="alert" className="mt-8 text-balance text-center text-control text-ink-2">
        <p className="font-medium text-ink">Today's sessions couldn't be loaded.</p>
        <p>{formatRequestProblem(problem)}</p>
        <Button variant="secondary" busy={status === 'loading'} onClick={retry} className="mt-4">
          Try again
        </Button>
      </div>
    )
  }
  const sessions = (rows ?? []).filter(({ days }) => days.some(({ day }) => day === today))
  const seconds = sessions.reduce((sum, session) => sum + secondsOn(session, today), 0)
  return (
    <section aria-label="Today's sessions" aria-busy={status === 'loading' || undefined} className="mt-8">
      <div className="flex min-h-6 flex-wrap items-center justify-center gap-x-3 gap-y-2 text-control">
        {(sessions.length > 0 || unrecorded) && <FocusBlocks sessions={sessions} unrecorded={unrecorded} />}
        {rows !== undefined && <Total count={sessions.length} seconds={seconds} />}
      </div>
      <ul className="mx-auto mt-4 max-w-96 text-control [list-style-type:'']">
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            today={today}
            timeZone={timeZone}
            onRemove={(label) => remove(session, label)}
          />
        ))}
      </ul>
    </section>
  )
}

function Total({ count, seconds }: { count: number; seconds: number }) {
  const singleKeys = useSingleKeys()
  if (count === 0) {
    return (
      <p className="text-ink-3">
        No sessions yet today.
        {singleKeys.on && (
          <span className="pointer-coarse:hidden">
            {' '}
            Press <Keys of={startOrPause} /> to start or pause.
          </span>
        )}
      </p>
    )
  }
  return (
    <p className="text-ink-3">
      <span className="font-medium text-ink-2">
        {count === 1 ? '1 session' : `${integerFormat.format(count)} sessions`}
      </span>{' '}
      today, {formatDuration(seconds)}
    </p>
  )
}

interface SessionRowProps {
  session: FocusSession
  today: Day
  timeZone: string
  onRemove(label: string): void
}

function SessionRow({ session, today, timeZone, onRemove }: SessionRowProps) {
  const times =
    session.started_at === null
      ? 'Total of the day'
      : `${clockTime(Date.parse(session.started_at), timeZone)} – ${clockTime(Date.parse(session.ended_at), timeZone)}`
  const ofToday = secondsOn(session, today)
  const length =
    ofToday === session.duration
      ? formatDuration(session.duration)
      : `${formatDuration(ofToday)} of ${formatDuration(session.duration)}`
  return (
    <li
      data-row={session.id}
      tabIndex={-1}
      className="group/row -mx-3 flex min-h-10 items-center gap-3 rounded-control pr-1 pl-3 tabular-nums outline-none hover:bg-hover focus-visible:outline-2"
    >
      <span className="text-ink-2">{times}</span>
      <span className="ml-auto text-right text-ink">{length}</span>
      <Button
        variant="icon"
        aria-label={`Delete session, ${times}`}
        onClick={() => onRemove(`${length}, ${times}`)}
        className="[&>svg]:invisible group-hover/row:[&>svg]:visible group-has-focus-visible/row:[&>svg]:visible pointer-coarse:text-edge pointer-coarse:[&>svg]:visible [@media(hover:none)]:[&>svg]:visible"
      >
        <Trash2 />
      </Button>
    </li>
  )
}

function useRemove() {
  const write = useWrite()
  const offerUndo = useOfferUndo()
  return (session: FocusSession, label: string) => {
    moveFocusFromRows((id) => id === session.id)
    void write(deleteFocusSession, { id: session.id, label, at: instantToWire(Date.now()) })
    offerUndo('Session deleted', {
      row: { list: focusSessionList.name, subject: session.id },
      description: label,
    })
  }
}
