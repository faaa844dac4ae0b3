import { formatDuration } from '#platform/format/format-time.ts'
import { changed, deletion, placed, restoration } from '#platform/sync/collections/row-writes.ts'
import type { Write } from '#platform/sync/collections/write.ts'
import type { FocusSession, FocusSessionChange } from '../focus-session.ts'
import { focusSessionList } from '../focus-session-list.ts'
import type { FocusRecord } from './moved-session.ts'

// `at` is the instant of the person's change (ISO 8601 in UTC); `label` tells them which session could not be saved.

/**
 * Of a run of the timer, `pressed` is the instant of the press that it follows from, by the server's clock; of one that was
 * entered by hand, `at` is that of the entry.
 */
export const recordFocusSession: Write<FocusSession, FocusRecord> = {
  name: 'focus.record',
  version: 1,
  collection: focusSessionList,
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

/** A change of the time names all of it, days included, and so does one of the subject. */
export const changeFocusSession: Write<
  FocusSession,
  { id: string; changes: FocusSessionChange; label: string; at: string }
> = {
  name: 'focus.change',
  version: 1,
  collection: focusSessionList,
  apply: (rows, { id, changes }) => changed(rows, id, changes).sort(newestFirst),
  request: ({ id, changes, at }) => ({ method: 'PUT', path: `/api/focus/${id}`, body: { ...changes, at } }),
  subject: ({ id }) => id,
  refusal: 'Failed to update focus session',
  text: ({ label }) => label,
  typed: true,
}

export const deleteFocusSession = deletion<FocusSession, { id: string; label: string; at: string }>({
  name: 'focus.delete',
  collection: focusSessionList,
  refusal: 'Failed to delete focus session',
  text: ({ label }) => label,
})

/** Undoes a deletion: `session` is as it was when it was deleted. */
export const restoreFocusSession = restoration<
  FocusSession,
  { session: FocusSession; label: string; at: string }
>({
  name: 'focus.restore',
  collection: focusSessionList,
  rowOf: ({ session }) => session,
  restores: (session, at) => ({ session, label: formatDuration(session.duration), at }),
  order: newestFirst,
  refusal: 'Failed to restore focus session',
  text: ({ label }) => label,
})

/** For the provider: every write to focus sessions that may be waiting on a device. */
export const focusWrites = [recordFocusSession, changeFocusSession, deleteFocusSession, restoreFocusSession]

/** The order in which the server lists them. */
function newestFirst(a: FocusSession, b: FocusSession): number {
  if (a.ended_at !== b.ended_at) return a.ended_at < b.ended_at ? 1 : -1
  return a.id < b.id ? 1 : -1
}
