import { Plus, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useToday, useUserCalendar } from '#platform/browser/clock/user-calendar.tsx'
import { useSingleKeys } from '#platform/browser/keyboard/shortcuts.ts'
import { moveFocusFromRows } from '#platform/browser/rows/row-focus.ts'
import { type Day, instantToWire } from '#platform/calendar/day.ts'
import { clockTime, formatDuration } from '#platform/format/format-time.ts'
import { counted } from '#platform/format/words.ts'
import { formatRequestProblem } from '#platform/sync/network/request-problem.ts'
import { useOfferUndo } from '#platform/sync/react/offer-undo.ts'
import { useCollection, useWrite } from '#platform/sync/react/use-collection.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Keys } from '#platform/ui/controls/key.tsx'
import { lazyPart, usePart } from '#platform/ui/lazy-part.tsx'
import { type FocusSession, secondsOn } from '../sessions/focus-session.ts'
import { focusSessionCollection } from '../sessions/focus-session-collection.ts'
import { deleteFocusSession } from '../sessions/web/focus-queries.ts'
import type { FocusSubject } from '../subjects/focus-subject.ts'
import { subjectKey, subjectOf, useSubjects } from '../subjects/web/subjects.ts'
import { startOrPause } from '../timer/web/timer-shortcuts.ts'

/** Today's sessions, grouped by their subject. */
export function TodaysSessions({ usual }: { usual: number }) {
  const { rows, status, problem, retry } = useCollection(focusSessionCollection)
  const today = useToday()
  const [edited, setEdited] = useState<FocusSession>()
  const [editing, setEditing] = useState(false)
  const SessionDialog = usePart(LazySessionDialog, editing)
  const remove = useRemove()
  const edit = (session: FocusSession | undefined) => {
    setEdited(session)
    setEditing(true)
  }

  if (problem) {
    return (
      <div role="alert" className="mt-6 text-balance text-center text-control text-ink-2">
        <p className="font-medium text-ink">Today's sessions couldn't be loaded.</p>
        <p>{formatRequestProblem(problem)}</p>
        <Button variant="secondary" busy={status === 'loading'} onClick={retry} className="mt-4">
          Try again
        </Button>
      </div>
    )
  }
  const sessions = (rows ?? []).filter(({ days }) => days.some(({ day }) => day === today))
  const rowActions = { today, onEdit: edit, onRemove: remove }
  return (
    <section
      aria-label="Today's sessions"
      aria-busy={status === 'loading' || undefined}
      className="mx-auto mt-2 max-w-128 text-control"
    >
      {rows !== undefined && <Total sessions={sessions} today={today} />}
      <ul className="[list-style-type:'']">
        {groupsOf(sessions).map(([first, ...others]) => {
          const subject = subjectOf(first)
          return subject === undefined ? (
            <SessionRow key={first.id} session={first} {...rowActions} />
          ) : (
            <SubjectRow
              key={subjectKey(subject)}
              subject={subject}
              sessions={[first, ...others]}
              {...rowActions}
            />
          )
        })}
      </ul>
      {rows !== undefined && (
        <p className={sessions.length === 0 ? 'mt-1 text-center' : 'mt-1'}>
          <Button
            variant="quiet"
            onClick={() => edit(undefined)}
            className="-mx-3 px-3 font-normal text-ink-3"
          >
            <Plus size={16} />
            Add a session
          </Button>
        </p>
      )}
      {SessionDialog && (
        <SessionDialog
          // Resets the form for each session, so that typed text never carries over to another one.
          key={edited?.id ?? 'new'}
          open={editing}
          session={edited}
          usual={usual}
          onClose={() => setEditing(false)}
        />
      )}
    </section>
  )
}

const LazySessionDialog = lazyPart(
  () => import('../sessions/web/session-dialog.tsx'),
  'SessionDialog',
  'after the screen',
)

type Group = [FocusSession, ...FocusSession[]]

/** Groups sessions by subject, in the order of the sessions. A session without a subject is a group of its own. */
function groupsOf(sessions: readonly FocusSession[]): Group[] {
  const groups = new Map<string, Group>()
  for (const session of sessions) {
    const key = subjectKey(subjectOf(session)) ?? `alone ${session.id}`
    const group = groups.get(key)
    if (group) group.push(session)
    else groups.set(key, [session])
  }
  return [...groups.values()]
}

function secondsOf(sessions: readonly FocusSession[], today: Day): number {
  return sessions.reduce((sum, session) => sum + secondsOn(session, today), 0)
}

function Total({ sessions, today }: { sessions: readonly FocusSession[]; today: Day }) {
  const singleKeys = useSingleKeys()
  // A day's total that was counted elsewhere is not a session.
  const count = sessions.filter(({ kind }) => kind !== 'total').length
  if (sessions.length === 0) {
    return (
      <p className="py-1 text-center text-ink-3">
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
    <h2 className="flex min-h-8 items-center gap-2 font-normal">
      <span className="font-medium text-ink-2">Today</span>
      <span className="grow text-ink-3">{counted(count, 'session')}</span>
      <span className="font-medium text-ink-2 tabular-nums">
        {formatDuration(secondsOf(sessions, today))}
      </span>
    </h2>
  )
}

interface RowActions {
  today: Day
  onEdit(session: FocusSession): void
  onRemove(session: FocusSession, label: string): void
}

interface SubjectRowProps extends RowActions {
  subject: FocusSubject
  sessions: Group
}

/** Today's focus on one subject. A press shows its sessions. */
function SubjectRow({ subject, sessions, ...actions }: SubjectRowProps) {
  const shown = useSubjects().of(subject)
  const { timeZone } = useUserCalendar()
  const [open, setOpen] = useState(false)
  const content = useId()
  const times = sessions.toReversed().map((session) => sessionTimes(session, timeZone))
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={content}
        onClick={() => setOpen(!open)}
        className="-mx-3 flex min-h-9 w-[calc(100%+24px)] items-center gap-2 rounded-control px-3 text-start transition-colors hover:bg-hover pointer-coarse:min-h-11"
      >
        {shown?.sign ?? <span className="size-2 shrink-0" />}
        <bdi className="min-w-0 truncate max-md:grow">{shown?.title ?? 'A task or habit that is gone'}</bdi>
        <span className="ml-auto min-w-16 shrink-[9] truncate text-end text-ink-3 tabular-nums max-md:sr-only">
          {times.join(', ')}
        </span>
        <span className="w-26 shrink-0 text-right font-medium tabular-nums max-md:w-auto max-md:pl-3">
          {formatDuration(secondsOf(sessions, actions.today))}
        </span>
      </button>
      <ul id={content} hidden={!open} className="pl-4 [list-style-type:'']">
        {open && sessions.map((session) => <SessionRow key={session.id} session={session} {...actions} />)}
      </ul>
    </li>
  )
}

function SessionRow({ session, today, onEdit, onRemove }: RowActions & { session: FocusSession }) {
  const { timeZone } = useUserCalendar()
  const times = sessionTimes(session, timeZone)
  const ofToday = secondsOn(session, today)
  const length =
    ofToday === session.duration
      ? formatDuration(session.duration)
      : `${formatDuration(ofToday)} of ${formatDuration(session.duration)}`
  return (
    <li
      data-row={session.id}
      tabIndex={-1}
      className="group/row -mx-3 flex min-h-9 items-center rounded-control outline-none hover:bg-hover focus-visible:outline-2 pointer-coarse:min-h-11"
    >
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => onEdit(session)}
        className="flex min-h-9 min-w-0 grow items-center gap-3 rounded-control pl-3 text-start tabular-nums pointer-coarse:min-h-11"
      >
        <span className="text-ink-2">{times}</span>
        <span className="ml-auto text-right">{length}</span>
      </button>
      <Button
        variant="icon"
        aria-label={`Delete session, ${times}`}
        onClick={() => onRemove(session, `${length}, ${times}`)}
        className="mr-1 ml-1 [&>svg]:invisible group-hover/row:[&>svg]:visible group-has-focus-visible/row:[&>svg]:visible pointer-coarse:text-edge pointer-coarse:[&>svg]:visible [@media(hover:none)]:[&>svg]:visible"
      >
        <Trash2 />
      </Button>
    </li>
  )
}

function sessionTimes({ started_at, ended_at }: FocusSession, timeZone: string): string {
  if (started_at === null) return 'Total of the day'
  return `${clockTime(Date.parse(started_at), timeZone)} – ${clockTime(Date.parse(ended_at), timeZone)}`
}

function useRemove() {
  const write = useWrite()
  const offerUndo = useOfferUndo()
  return (session: FocusSession, label: string) => {
    moveFocusFromRows((id) => id === session.id)
    void write(deleteFocusSession, { id: session.id, label, at: instantToWire(Date.now()) })
    offerUndo('Session deleted', {
      row: { list: focusSessionCollection.name, subject: session.id },
      description: label,
    })
  }
}
