import type { Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import { instantForAuth } from '#platform/database/auth-values.ts'
import type { Engine } from '#platform/database/schema/migration-step.ts'
import type { Tables } from '#platform/database/tables.ts'

export interface NewAccount {
  user: string
  name: string
  /** The email in lower case. */
  email: string
  isConfirmed: boolean
  passwordHash: string
}

/** Creates an account with its password in one step; better-auth needs two. Returns false if the email already has an account. */
export async function insertAccount(
  tx: Transaction<Tables>,
  engine: Engine,
  { user, name, email, isConfirmed, passwordHash }: NewAccount,
  now: Instant,
): Promise<boolean> {
  const at = instantForAuth(engine, now)
  const made = await tx
    .insertInto('user')
    .values({
      id: user,
      name,
      email,
      emailVerified: engine === 'sqlite' ? Number(isConfirmed) : isConfirmed,
      image: null,
      createdAt: at,
      updatedAt: at,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst()
  if (made.numInsertedOrUpdatedRows !== 1n) return false
  await tx
    .insertInto('account')
    .values({
      id: user,
      accountId: user,
      providerId: 'credential',
      userId: user,
      accessToken: null,
      refreshToken: null,
      idToken: null,
      accessTokenExpiresAt: null,
      refreshTokenExpiresAt: null,
      scope: null,
      password: passwordHash,
      createdAt: at,
      updatedAt: at,
    })
    .execute()
  return true
}
