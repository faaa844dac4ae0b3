import { createHash } from 'node:crypto'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { Invitation } from '../invitation.ts'
import { insertAccount, type NewAccount } from './new-account-store.ts'
import { lockSignUps } from './sign-up-store.ts'

// Invitations belong to nobody yet: whoever has the link of one is who it is for.

export interface KeptInvitation extends Invitation {
  /** The beginning of the hash of its token: names it to the operator and opens nothing. */
  id: string
  madeAt: Instant
  expiresAt: Instant
}

export async function keepInvitation(
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

/** Undefined where the token is used, too old, withdrawn, or never was. */
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
 * Makes the account, and the invitation is used up by it. An email that has an account keeps the invitation for another one.
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
      // Of two that follow it at once, the second waits here and then finds none.
      .forUpdate()
      .executeTakeFirst()
    if (!invitation) return 'bad-token'
    // Whoever was asked for a link before would otherwise find the address taken by it.
    await lockSignUps(tx, account.email)
    // Nobody has shown yet that the address is theirs: the operator typed it, or they did.
    if (!(await insertAccount(tx, db.engine, { ...account, isConfirmed: false }, now))) return 'taken'
    await tx.deleteFrom('sign_ups').where('email', '=', account.email).execute()
    await tx.deleteFrom('invitations').where('token_hash', '=', invitation.token_hash).execute()
    return 'made'
  })
}

/** All that can still be followed, the oldest first. */
export async function listAllInvitations(db: Database, now: Instant): Promise<KeptInvitation[]> {
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

/** False where there is none that is called so. */
export async function withdrawInvitation(db: Database, id: string): Promise<boolean> {
  if (id.length !== idLength || !/^[\da-f]+$/.test(id)) return false
  const { numDeletedRows } = await db.write((tx) =>
    tx.deleteFrom('invitations').where('token_hash', 'like', `${id}%`).executeTakeFirstOrThrow(),
  )
  return numDeletedRows > 0n
}

/** Removes those that nobody followed before `now`. */
export async function purgeInvitations(db: Database, now: Instant): Promise<void> {
  await db.write((tx) => tx.deleteFrom('invitations').where('expires_at', '<=', now).execute())
}

const idLength = 8

function invitationOf({ email, name }: { email: string | null; name: string | null }): Invitation {
  return { ...(email !== null && { email }), ...(name !== null && { name }) }
}

/** A copy of the database lets nobody in. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
