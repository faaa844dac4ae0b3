import { instantToWire } from '#platform/calendar/day.ts'
import { formatDuration } from '#platform/format/format-time.ts'
import { editedParts } from '#platform/sync/undo/edited-parts.ts'
import { undoableCollection } from '#platform/sync/undo/plan-undo.ts'
import { focusRow } from '../focus-row.ts'
import type { FocusSession } from '../focus-session.ts'
import { focusSessionCollection } from '../focus-session-collection.ts'
import { changeFocusSession, deleteFocusSession, restoreFocusSession } from './focus-queries.ts'

const edited = editedParts(focusRow)

/** Undoes deletions of focus sessions, and sessions that the person typed in or corrected. */
export const undoableSessions = undoableCollection<FocusSession>({
  collection: focusSessionCollection,
  idOf: ({ id }) => id,
  nameOf,
  titleOf: ({ added, changed }) =>
    added.length > 0
      ? 'Session added'
      : changed.length > 0
        ? edited.title(changed, 'Session changed')
        : 'Session deleted',
  partsOf: (session) =>
    new Map(edited.of(session).map(([part, value]) => [part, part === time ? [value, session.days] : value])),
  set(write, { target, parts }, { moment: { now } }) {
    for (const part of parts) {
      const days = part === time && { days: target.days }
      const changes = { ...edited.changes(target, [part]), ...days }
      void write(changeFocusSession, {
        id: target.id,
        changes,
        label: nameOf(target),
        at: instantToWire(now),
      })
    }
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

/** The field that stands for the time of a session: a change to it also restores the seconds per day. */
const time = 'duration'

function nameOf({ duration }: FocusSession): string {
  return formatDuration(duration)
}
