import { formatDuration } from '#platform/format/format-time.ts'
import { changed, deletion, placed, restoration } from '#platform/sync/collections/row-writes.ts'
import type { Write } from '#platform/sync/collections/write.ts'
import type { FocusSession, FocusSessionChange } from '../focus-session.ts'
import { focusSessionCollection } from '../focus-session-collection.ts'
import type { FocusRecord } from './moved-session.ts'

// In all writes, `at` is when the person made the change (ISO 8601 in UTC); `label` tells them which session could not be saved.

/**
 * Records a session. For a run of the timer, `pressed` is the instant of the press that led to the session, by the server's
 * clock. For a session that the person typed in, `at` is when they did so.
 */
export const recordFocusSession: Write<FocusSession, FocusRecord> = {
  name: 'focus.record',
  version: 1,
  collection: focusSessionCollection,
  apply: (rows, { session }) => placed(rows, session, newestFirst),
  request: ({ session, at, pressed = at }) => ({
    method: 'POST',
    path: '/api/focus',
    body: { ...session, at: pressed },
  }),
  subject: ({ session }) => session.id,
  fineWhenGone: true,
  isAutomatic: () => true,
  moving: () => import('./moved-session.ts').then(({ movedRecord: moved }) => ({ moved })),
  refusal: 'Failed to save focus session',
  text: ({ label }) => label,
}

/**
 * Changes a session. A change of the time includes every field of the time and the days; a change of the subject includes both
 * ids.
 */
export const changeFocusSession: Write<
  FocusSession,
  { id: string; changes: FocusSessionChange; label: string; at: string }
> = {
  name: 'focus.change',
  version: 1,
  collection: focusSessionCollection,
  apply: (rows, { id, changes }) => changed(rows, id, changes).sort(newestFirst),
  request: ({ id, changes, at }) => ({ method: 'PUT', path: `/api/focus/${id}`, body: { ...changes, at } }),
  subject: ({ id }) => id,
  refusal: 'Failed to update focus session',
  text: ({ label }) => label,
  typed: true,
}

export const deleteFocusSession = deletion<FocusSession, { id: string; label: string; at: string }>({
  name: 'focus.delete',
  collection: focusSessionCollection,
  refusal: 'Failed to delete focus session',
  text: ({ label }) => label,
})

/** Undoes a deletion. `session` is the session as it was when it was deleted. */
export const restoreFocusSession = restoration<
  FocusSession,
  { session: FocusSession; label: string; at: string }
>({
  name: 'focus.restore',
  collection: focusSessionCollection,
  rowOf: ({ session }) => session,
  restores: (session, at) => ({ session, label: formatDuration(session.duration), at }),
  order: newestFirst,
  refusal: 'Failed to restore focus session',
  text: ({ label }) => label,
})

/** Every write to focus sessions that may be queued on a device. The sync provider needs them all. */
export const focusWrites = [recordFocusSession, changeFocusSession, deleteFocusSession, restoreFocusSession]

/** The order in which the server returns sessions. */
function newestFirst(a: FocusSession, b: FocusSession): number {
  if (a.ended_at !== b.ended_at) return a.ended_at < b.ended_at ? 1 : -1
  return a.id < b.id ? 1 : -1
}
