import type { Collection } from '#platform/sync/collections/collection.ts'
import { deletion, placed, restoration } from '#platform/sync/collections/row-writes.ts'
import type { Write } from '#platform/sync/collections/write.ts'
import { type FocusSession, focusSessionListSchema } from '../focus-session.ts'
import { changeFocusTimer } from './focus-timer-queries.ts'

// `at` is the instant of the person's change (ISO 8601 in UTC); `label` tells them which session could not be saved.

/** The sessions of the last 30 days. */
export const focusSessionList: Collection<FocusSession> = {
  name: 'focus-sessions',
  path: '/api/focus',
  rows: (response) => focusSessionListSchema.parse(response).sessions,
}

export const recordFocusSession: Write<FocusSession, { session: FocusSession; label: string; at: string }> = {
  name: 'focus.record',
  version: 1,
  collection: focusSessionList,
  apply: (rows, { session }) => placed(rows, session, newestFirst),
  request: ({ session, at }) => ({ method: 'POST', path: '/api/focus', body: { ...session, at } }),
  subject: ({ session }) => session.id,
  fineWhenGone: true,
  refusal: 'Failed to save focus session',
  text: ({ label }) => label,
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
  order: newestFirst,
  refusal: 'Failed to restore focus session',
  text: ({ label }) => label,
})

/** For the provider: every write to focus sessions and the timer that may be waiting on a device. */
export const focusWrites = [recordFocusSession, deleteFocusSession, restoreFocusSession, changeFocusTimer]

/** The order in which the server lists them. */
function newestFirst(a: FocusSession, b: FocusSession): number {
  if (a.ended_at !== b.ended_at) return a.ended_at < b.ended_at ? 1 : -1
  return a.id < b.id ? 1 : -1
}
