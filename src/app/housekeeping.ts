import type { Logger } from 'pino'
import { finishDeletions } from '#features/account/server/account-store.ts'
import type { Auth } from '#features/account/server/auth.ts'
import { purgeInvitations } from '#features/account/server/invitation-store.ts'
import { purgePasswordResets } from '#features/account/server/password-reset.ts'
import { purgeSignInSessions } from '#features/account/server/sign-in-session.ts'
import { purgeSignUps } from '#features/account/server/sign-up-store.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { purgeDeleted } from '#platform/database/delete-rows.ts'
import { storageProblemOf } from '#platform/database/storage-problem.ts'
import { forgetCalls } from '#platform/http/rate-limit-store.ts'
import { loggable } from '#platform/log/loggable.ts'
import { rowKinds, userTables } from './row-kinds.ts'

const hour = 60 * 60 * 1000
const day = 24 * hour

/**
 * Permanently removes rows deleted 30 days ago, ended sign-in sessions, unused password resets, unfinished sign-ups, unused
 * invitations and old call counts; and finishes account deletions that were interrupted.
 */
export async function tidy(database: Database, auth: Auth, now: Instant): Promise<void> {
  await finishDeletions(database, userTables)
  for (const kind of rowKinds) await purgeDeleted(database, kind, now - 30 * day)
  await purgeSignInSessions(auth, now)
  await purgePasswordResets(auth, now)
  await purgeSignUps(database, now)
  await purgeInvitations(database, now)
  await forgetCalls(database, now - hour)
  await database.scrub()
}

/** Tidies now and every hour. Returns a function that stops it and waits for the run under way. */
export function keepTidy(database: Database, auth: Auth, log: Logger): () => Promise<void> {
  const tidyOnce = () =>
    tidy(database, auth, Date.now()).catch((error) => {
      if (storageProblemOf(error) !== undefined) return
      log.error({ error: loggable(error) }, 'Tidying up failed; it is tried again in an hour')
    })
  let tidying = tidyOnce()
  const timer = setInterval(() => {
    tidying = tidyOnce()
  }, hour).unref()
  return () => {
    clearInterval(timer)
    return tidying
  }
}
