import type { List } from '#platform/sync/list.ts'
import type { Write } from '#platform/sync/write.ts'
import { type FocusSession, focusSessionListSchema } from '../focus-session.ts'
import { changeFocusTimer } from './focus-timer-queries.ts'

// `at` is the instant of the person's change (ISO 8601 in UTC); `label` tells them which session could not be saved.

/** The sessions of the last 30 days. */
export const focusSessionList: List<FocusSession> = {
  name: 'focus-sessions',
  path: '/api/focus',
  rows: (answer) => focusSessionListSchema.parse(answer).sessions,
}

export const recordFocusSession: Write<FocusSession, { session: FocusSession; label: string; at: string }> = {
  name: 'focus.record',
  version: 1,
  list: focusSessionList,
  apply: put,
  request: ({ session, at }) => ({ method: 'POST', path: '/api/focus', body: { ...session, at } }),
  subject: ({ session }) => session.id,
  fineWhenGone: true,
  refusal: 'Failed to save focus session',
  text: ({ label }) => label,
}

export const deleteFocusSession: Write<FocusSession, { id: string; label: string; at: string }> = {
  name: 'focus.delete',
  version: 1,
  list: focusSessionList,
  apply: (rows, { id }) => rows.filter((session) => session.id !== id),
  request: ({ id, at }) => ({ method: 'DELETE', path: `/api/focus/${id}?at=${encodeURIComponent(at)}` }),
  subject: ({ id }) => id,
  fineWhenGone: true,
  refusal: 'Failed to delete focus session',
  text: ({ label }) => label,
}

/** Takes a deletion back: `session` as it was when it was deleted. */
export const restoreFocusSession: Write<FocusSession, { session: FocusSession; label: string; at: string }> =
  {
    name: 'focus.restore',
    version: 1,
    list: focusSessionList,
    apply: put,
    request: ({ session, at }) => ({
      method: 'POST',
      path: `/api/focus/${session.id}/restore?at=${encodeURIComponent(at)}`,
    }),
    subject: ({ session }) => session.id,
    refusal: 'Failed to restore focus session',
    text: ({ label }) => label,
  }

/** For the provider: every write to focus sessions and the timer that may be waiting on a device. */
export const focusWrites = [recordFocusSession, deleteFocusSession, restoreFocusSession, changeFocusTimer]

function put(rows: readonly FocusSession[], { session }: { session: FocusSession }): FocusSession[] {
  return rows.some(({ id }) => id === session.id) ? [...rows] : [...rows, session].sort(newestFirst)
}

/** The order in which the server lists them. */
function newestFirst(a: FocusSession, b: FocusSession): number {
  if (a.ended_at !== b.ended_at) return a.ended_at < b.ended_at ? 1 : -1
  return a.id < b.id ? 1 : -1
}
