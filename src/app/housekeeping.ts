import type { Logger } from 'pino'
import { finishDeletions } from '#features/account/ending/server/account-deletion-store.ts'
import { purgeInvitations } from '#features/account/invitations/server/invitation-store.ts'
import { purgePasswordResets } from '#features/account/password/server/password-reset.ts'
import type { Auth } from '#features/account/session/server/better-auth.ts'
import { purgeSignInSessions } from '#features/account/session/server/sign-in-session.ts'
import { purgeSignUps } from '#features/account/sign-up/server/sign-up-store.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { type Pace, purgeDeleted, purgeUpTo } from '#platform/database/rows/delete-rows.ts'
import { storageProblemOf } from '#platform/database/storage/storage-problem.ts'
import { forgetCalls } from '#platform/http/guards/rate-limit-store.ts'
import { loggable } from '#platform/log/loggable.ts'
import { warnOfFutureRows } from './future-rows-log.ts'
import { rowKinds, userTables } from './row-kinds.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour

/**
 * Permanently removes rows deleted 30 days ago, ended sign-in sessions, unused password resets, unfinished sign-ups, unused
 * invitations, old call counts and the log of changes from before yesterday. Also finishes interrupted account deletions. If `pace`
 * ends early, the next run does the rest.
 */
export async function tidy(database: Database, auth: Auth, now: Instant, pace: Pace = {}): Promise<void> {
  const steps = [
    () => finishDeletions(database, userTables, pace),
    () => purgeSignInSessions(database, now, pace),
    () => purgePasswordResets(auth, now),
    () => purgeSignUps(database, now, pace),
    () => purgeInvitations(database, now, pace),
    () => forgetCalls(database, now - hour, pace),
    () => purgeUpTo(database, 'row_changes', 'changed_at', now - 2 * day, pace),
    // Deleted rows are by far the most, so purge them last and let nothing else wait for them.
    ...rowKinds.map((kind) => () => purgeDeleted(database, kind, now - 30 * day, pace)),
    () => database.scrub(),
  ]
  for (const step of steps) {
    if (pace.signal?.aborted) return
    await step()
  }
}

/**
 * Tidies now and every hour, unless the last run is still under way. Once a day also counts rows with change instants in the
 * future, which a clock that was ahead has left. Returns a function that stops the tidying, and resolves once nothing is being
 * written any more.
 */
export function keepTidy(database: Database, auth: Auth, log: Logger): () => Promise<void> {
  const stopping = new AbortController()
  let tidying: Promise<void> | undefined
  const begin = () => {
    tidying ??= tidyOnce().finally(() => {
      tidying = undefined
    })
  }
  // Uses the monotonic clock, since the wall clock may be set back by days.
  let nextCount = performance.now()
  const pace = { signal: stopping.signal }
  const tidyOnce = async () => {
    try {
      await tidy(database, auth, Date.now(), pace)
      if (stopping.signal.aborted || performance.now() < nextCount) return
      await warnOfFutureRows(database, log, Date.now(), pace)
      nextCount = performance.now() + day
    } catch (error) {
      if (storageProblemOf(error) !== undefined) return
      log.error({ error: loggable(error) }, 'Tidying up failed; it is tried again in an hour')
    }
  }
  begin()
  const timer = setInterval(begin, hour).unref()
  return async () => {
    clearInterval(timer)
    stopping.abort()
    await tidying
  }
}
