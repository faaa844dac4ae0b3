import { instantToWire } from '#platform/calendar/day.ts'
import { formatDuration } from '#platform/format/format-time.ts'
import { putsBack } from '#platform/sync/undo/put-back.ts'
import type { FocusSession, FocusSessionChange } from '../focus-session.ts'
import { focusSessionList } from '../focus-session-list.ts'
import { changeFocusSession, deleteFocusSession, restoreFocusSession } from './focus-queries.ts'

/** Puts back focus sessions: those that were deleted, and those that were added or corrected by hand. */
export const putsBackSessions = putsBack<FocusSession>({
  collection: focusSessionList,
  idOf: ({ id }) => id,
  nameOf,
  titleOf: ({ added, changed }) =>
    added.length > 0 ? 'Session added' : changed.length > 0 ? 'Session changed' : 'Session deleted',
  partsOf: (session) =>
    new Map<string, unknown>([
      ['subject', subjectOf(session)],
      ['time', timeOf(session)],
    ]),
  set(write, { target, parts }, { moment: { now } }) {
    const at = instantToWire(now)
    const change = (changes: FocusSessionChange) =>
      void write(changeFocusSession, { id: target.id, changes, label: nameOf(target), at })
    if (parts.includes('subject')) change(subjectOf(target))
    if (parts.includes('time')) change(timeOf(target))
  },
  remove(write, sessions, { now }) {
    for (const session of sessions)
      void write(deleteFocusSession, { id: session.id, label: nameOf(session), at: instantToWire(now) })
  },
  restore(write, sessions, { now }) {
    for (const session of sessions)
      void write(restoreFocusSession, { session, label: nameOf(session), at: instantToWire(now) })
  },
})

function subjectOf({ todo_id, habit_id }: FocusSession) {
  return { todo_id, habit_id }
}

function timeOf({ duration, started_at, ended_at, days }: FocusSession) {
  return { duration, started_at, ended_at, days }
}

function nameOf({ duration }: FocusSession): string {
  return formatDuration(duration)
}
