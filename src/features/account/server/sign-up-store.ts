import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { Tables } from '#platform/database/tables.ts'
import { insertAccount } from './new-account-store.ts'

// Sign-ups that wait for the link of a mail. Until it is followed there is no account: an address of somebody else's is
// neither taken nor opened by one, and each link makes the account that was asked for with it. The password that was chosen
// there counts in that browser alone: a stranger may have asked, and whoever opens the mail chooses one of their own.

export interface SignUpToKeep {
  token: string
  /** In lower case. */
  email: string
  name: string
  passwordHash: string
  /** The browser that it was begun in. */
  device: string
}

export async function keepSignUp(db: Database, signUp: SignUpToKeep, expiresAt: Instant): Promise<void> {
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
 * What was asked for with a token, and whether in the browser `device`. Undefined where the token is used, too old, or never was.
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
 * Makes the account of a token, with its address confirmed and the password that was asked for with it, unless another one
 * was chosen since. Every other sign-up with that address is void then. Answers the hash of the password; undefined where the
 * token is used, too old, or never was, or the address has an account by now.
 */
export async function finishSignUp(
  db: Database,
  { token, email, newHash }: { token: string; email: string; newHash: string | undefined },
  user: string,
  now: Instant,
): Promise<string | undefined> {
  return db.write(async (tx) => {
    const waiting = await lockSignUps(tx, email)
    const signUp = waiting.find(({ token_hash }) => token_hash === hashOf(token))
    if (!signUp || signUp.expires_at <= now) return undefined
    await tx.deleteFrom('sign_ups').where('email', '=', email).execute()
    const passwordHash = newHash ?? signUp.password_hash
    const account = { user, name: signUp.name, email, isConfirmed: true, passwordHash }
    return (await insertAccount(tx, db.engine, account, now)) ? passwordHash : undefined
  })
}

/**
 * All of an address, before any of them is changed and in one order for everybody: two that change them at once then wait for
 * each other in turn, instead of each for the other.
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

/** Removes those whose link was not followed before `now`. */
export async function purgeSignUps(db: Database, now: Instant): Promise<void> {
  await db.write(async (tx) => {
    const old = tx.selectFrom('sign_ups').select('token_hash').where('expires_at', '<=', now)
    // In the order of `lockSignUps`.
    await old.orderBy('token_hash').forUpdate().execute()
    await tx.deleteFrom('sign_ups').where('expires_at', '<=', now).execute()
  })
}

/** A copy of the database opens no account: it holds nothing that could be followed. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
