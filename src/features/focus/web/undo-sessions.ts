import { instantToWire } from '#platform/calendar/day.ts'
import { formatDuration } from '#platform/format/format-time.ts'
import { putsBack } from '#platform/sync/undo/put-back.ts'
import type { FocusSession } from '../focus-session.ts'
import { focusSessionList } from '../focus-session-list.ts'
import { deleteFocusSession, restoreFocusSession } from './focus-queries.ts'

/** Puts back focus sessions, of which a person can only delete one. */
export const putsBackSessions = putsBack<FocusSession>({
  collection: focusSessionList,
  idOf: ({ id }) => id,
  nameOf,
  titleOf: () => 'Session deleted',
  partsOf: () => new Map(),
  set() {},
  remove(write, sessions, { now }) {
    for (const session of sessions)
      void write(deleteFocusSession, { id: session.id, label: nameOf(session), at: instantToWire(now) })
  },
  restore(write, sessions, { now }) {
    for (const session of sessions)
      void write(restoreFocusSession, { session, label: nameOf(session), at: instantToWire(now) })
  },
})

function nameOf({ duration }: FocusSession): string {
  return formatDuration(duration)
}
