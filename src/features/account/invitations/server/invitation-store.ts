import { createHash } from 'node:crypto'
import { insertAccount, type NewAccount } from '#features/account/sign-up/server/new-account-store.ts'
import { lockSignUps } from '#features/account/sign-up/server/sign-up-store.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { type Pace, purgeUpTo } from '#platform/database/rows/delete-rows.ts'
import type { Invitation } from '../invitation.ts'

// Invitations belong to no user yet: anyone with the link may use one.

export interface StoredInvitation extends Invitation {
  /** The beginning of the token's hash. The operator can refer to the invitation by it, but nobody can use it to sign up. */
  id: string
  madeAt: Instant
  expiresAt: Instant
}

export async function saveInvitation(
  db: Database,
  token: string,
  { email, name }: Invitation,
  { madeAt, expiresAt }: { madeAt: Instant; expiresAt: Instant },
): Promise<void> {
  const row = {
    token_hash: hashOf(token),
    email: email?.toLowerCase() ?? null,
    name: name ?? null,
    made_at: madeAt,
    expires_at: expiresAt,
  }
  await db.write((tx) => tx.insertInto('invitations').values(row).execute())
}

/** Finds an invitation by its token. Undefined if the token has been used, has expired, was withdrawn, or never existed. */
export async function findInvitation(
  db: Database,
  token: string,
  now: Instant,
): Promise<Invitation | undefined> {
  const row = await db.read
    .selectFrom('invitations')
    .select(['email', 'name'])
    .where('token_hash', '=', hashOf(token))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row && invitationOf(row)
}

/**
 * Creates the account and uses up the invitation. If the email already has an account, the invitation remains usable with another
 * email.
 */
export async function acceptInvitation(
  db: Database,
  token: string,
  account: Omit<NewAccount, 'isConfirmed'>,
  now: Instant,
): Promise<'made' | 'bad-token' | 'taken'> {
  return db.write(async (tx) => {
    const invitation = await tx
      .selectFrom('invitations')
      .select('token_hash')
      .where('token_hash', '=', hashOf(token))
      .where('expires_at', '>', now)
      .where((eb) => eb.or([eb('email', 'is', null), eb('email', '=', account.email)]))
      // If two people follow the link at once, the second waits here and then finds the invitation used.
      .forUpdate()
      .executeTakeFirst()
    if (!invitation) return 'bad-token'
    // A sign-up link that was requested earlier would later find its address taken. Lock such sign-ups here, to delete them
    // below.
    await lockSignUps(tx, account.email)
    // The address is unconfirmed: either the operator or the person only typed it.
    if (!(await insertAccount(tx, db.engine, { ...account, isConfirmed: false }, now))) return 'taken'
    await tx.deleteFrom('sign_ups').where('email', '=', account.email).execute()
    await tx.deleteFrom('invitations').where('token_hash', '=', invitation.token_hash).execute()
    return 'made'
  })
}

/** All invitations that can still be used, oldest first. */
export async function listAllInvitations(db: Database, now: Instant): Promise<StoredInvitation[]> {
  const rows = await db.read
    .selectFrom('invitations')
    .selectAll()
    .where('expires_at', '>', now)
    .orderBy('made_at')
    .orderBy('token_hash')
    .execute()
  return rows.map((row) => ({
    id: row.token_hash.slice(0, idLength),
    ...invitationOf(row),
    madeAt: row.made_at,
    expiresAt: row.expires_at,
  }))
}

/** Returns false if no invitation has this id. */
export async function withdrawInvitation(db: Database, id: string): Promise<boolean> {
  if (id.length !== idLength || !/^[\da-f]+$/.test(id)) return false
  const { numDeletedRows } = await db.write((tx) =>
    tx.deleteFrom('invitations').where('token_hash', 'like', `${id}%`).executeTakeFirstOrThrow(),
  )
  return numDeletedRows > 0n
}

/** Removes the invitations that expired before `now`. */
export async function purgeInvitations(db: Database, now: Instant, pace?: Pace): Promise<void> {
  await purgeUpTo(db, 'invitations', 'expires_at', now, pace)
}

const idLength = 8

function invitationOf({ email, name }: { email: string | null; name: string | null }): Invitation {
  return { ...(email !== null && { email }), ...(name !== null && { name }) }
}

/** The database holds only the hash, so that a stolen copy contains no usable invitation. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
