import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { type Pace, purgeUpTo } from '#platform/database/rows/delete-rows.ts'
import type { Tables } from '#platform/database/tables.ts'
import { insertAccount } from './new-account-store.ts'

// Sign-ups that wait for the link in a mail. The account does not exist before the link is followed, so nobody can take or open
// another person's address by signing up. Each link creates the account that was requested with it. The password from the sign-up
// counts only in the browser where it was typed. A stranger may have typed it, so whoever opens the link elsewhere chooses a new
// password.

export interface PendingSignUp {
  token: string
  /** The email in lower case. */
  email: string
  name: string
  passwordHash: string
  /** The id of the browser in which the sign-up began. */
  device: string
}

export async function saveSignUp(db: Database, signUp: PendingSignUp, expiresAt: Instant): Promise<void> {
  const { token, email, name, passwordHash, device } = signUp
  const row = {
    token_hash: hashOf(token),
    email,
    name,
    password_hash: passwordHash,
    device_hash: hashOf(device),
    expires_at: expiresAt,
  }
  await db.write((tx) => tx.insertInto('sign_ups').values(row).execute())
}

/**
 * The sign-up that belongs to a token, and whether `device` is the browser where it began. Undefined if the token has been used,
 * has expired, or never existed.
 */
export async function findSignUp(
  db: Database,
  { token, device }: { token: string; device: string | undefined },
  now: Instant,
): Promise<{ email: string; name: string; sameDevice: boolean } | undefined> {
  const signUp = await db.read
    .selectFrom('sign_ups')
    .select(['email', 'name', 'device_hash'])
    .where('token_hash', '=', hashOf(token))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!signUp) return undefined
  const { email, name, device_hash } = signUp
  return { email, name, sameDevice: device !== undefined && hashOf(device) === device_hash }
}

/**
 * Creates the account that belongs to a token. Its address is confirmed. Its password is `newHash` or, if that is undefined, the
 * password of the sign-up. Voids every other sign-up with the address. Returns the password's hash; undefined if the token has
 * been used, has expired or never existed, or if the address has an account by now.
 */
export async function finishSignUp(
  db: Database,
  { token, email, newHash }: { token: string; email: string; newHash: string | undefined },
  user: string,
  now: Instant,
): Promise<string | undefined> {
  return db.write(async (tx) => {
    const pending = await lockSignUps(tx, email)
    const signUp = pending.find(({ token_hash }) => token_hash === hashOf(token))
    if (!signUp || signUp.expires_at <= now) return undefined
    await tx.deleteFrom('sign_ups').where('email', '=', email).execute()
    const passwordHash = newHash ?? signUp.password_hash
    const account = { user, name: signUp.name, email, isConfirmed: true, passwordHash }
    return (await insertAccount(tx, db.engine, account, now)) ? passwordHash : undefined
  })
}

/**
 * Locks all sign-ups of an address before any of them changes, always in the same order. Of two transactions, one then waits for
 * the other, and they cannot deadlock.
 */
export async function lockSignUps(tx: Transaction<Tables>, email: string) {
  return tx
    .selectFrom('sign_ups')
    .select(['token_hash', 'name', 'password_hash', 'expires_at'])
    .where('email', '=', email)
    .orderBy('token_hash')
    .forUpdate()
    .execute()
}

/** Removes the sign-ups that expired before `now`. */
export async function purgeSignUps(db: Database, now: Instant, pace?: Pace): Promise<void> {
  await purgeUpTo(db, 'sign_ups', 'expires_at', now, pace)
}

/** The database holds only the hash, so that a stolen copy contains no usable link. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
