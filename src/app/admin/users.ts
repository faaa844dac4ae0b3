import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { signUpSchema } from '#features/account/account.ts'
import { deleteAccount } from '#features/account/server/account-store.ts'
import { findUserByEmail, listAllUsers } from '#features/account/server/admin-store.ts'
import { closeAccount, reopenAccount } from '#features/account/server/closed-account-store.ts'
import { keepInvitation } from '#features/account/server/invitation-store.ts'
import { makePasswordReset } from '#features/account/server/password-reset.ts'
import { type Context, Refused, type Told } from './command.ts'
import { inTable, inWords, table } from './words.ts'

const day = 24 * 60 * 60 * 1000

export async function listUsers({ database, now }: Context, search?: string): Promise<Told> {
  const users = await listAllUsers(database, now, search)
  const rows = users.map(({ email, name, madeAt, usedAt, sessions, rows, isClosed, isConfirmed }) => [
    email,
    name,
    inTable(madeAt),
    inTable(usedAt),
    String(sessions),
    String(rows),
    isClosed ? 'closed' : isConfirmed ? 'confirmed' : '',
  ])
  const names = ['EMAIL', 'NAME', 'SINCE (UTC)', 'LAST SEEN', 'SIGNED IN', 'ROWS', '']
  return { says: users.length === 0 ? 'There are no accounts.' : table(names, rows), json: users }
}

/** The person chooses the password, so the operator never knows one. */
export async function addUser(context: Context, email: string, name: string | undefined): Promise<Told> {
  if (await findUserByEmail(context.database, email)) {
    throw new Refused(`There is already an account with ${email}.`)
  }
  return invite(context, { email, name, days: 7 })
}

interface Wish {
  email?: string | undefined
  name?: string | undefined
  days: number
}

export async function invite(context: Context, { email, name, days }: Wish): Promise<Told> {
  const { database, now, linkTo } = context
  const token = randomBytes(32).toString('base64url')
  const expiresAt = now + days * day
  const whom = {
    ...(email !== undefined && { email: wellFormed(signUpSchema.shape.email, email) }),
    ...(name !== undefined && { name: wellFormed(signUpSchema.shape.name, name) }),
  }
  await keepInvitation(database, token, whom, { madeAt: now, expiresAt })
  const link = linkTo('/join', token)
  const to = email ?? 'whom you want to invite'
  return {
    says: `Send this link to ${to}. It works once, until ${inWords(expiresAt)}:\n${link}`,
    json: { link, expiresAt },
  }
}

export async function resetPassword(context: Context, email: string): Promise<Told> {
  const user = await userOf(context, email)
  const auth = await context.auth()
  const expiresAt = context.now + day
  const link = context.linkTo('/reset-password', await makePasswordReset(auth, user.id, expiresAt))
  return {
    says: `Send this link to ${user.name}. It works once, for 24 hours, and then signs out all of their browsers:\n${link}`,
    json: { link, expiresAt },
  }
}

export async function closeUser(context: Context, email: string): Promise<Told> {
  const user = await userOf(context, email)
  await closeAccount(context.database, user.id, context.now)
  return { says: `${user.email} is closed and signed out everywhere. Their data stays.` }
}

export async function reopenUser(context: Context, email: string): Promise<Told> {
  const user = await userOf(context, email)
  await reopenAccount(context.database, user.id)
  return { says: `${user.email} can sign in again.` }
}

export async function deleteUser(context: Context, email: string, isSure: boolean): Promise<Told> {
  const { database } = context
  const user = await userOf(context, email)
  const typed = isSure
    ? user.email
    : await context.ask(
        `This permanently deletes ${user.email} and everything of theirs. Type the email to confirm: `,
      )
  if (typed === undefined) throw new Refused('Nobody can be asked here: add --yes to delete it.')
  if (typed.trim().toLowerCase() !== user.email)
    throw new Refused('That is a different email. Nothing was deleted.')
  // A server may be running, and its writes would wait while the file is written anew. It does that itself.
  await deleteAccount(database, user, context.now)
  const bytes =
    database.engine === 'sqlite'
      ? '\nWithin an hour, or at its next start, Daymark removes the data from its file too.'
      : ''
  return { says: `${user.email} is deleted, with everything of theirs.${bytes}` }
}

export async function userOf({ database }: Context, email: string) {
  const user = await findUserByEmail(database, email)
  if (!user) throw new Refused(`There is no account with ${email}.`)
  return user
}

function wellFormed(schema: z.ZodMiniType<string>, typed: string): string {
  const { data, error } = z.safeParse(schema, typed)
  if (error) throw new Refused(`${error.issues[0]?.message ?? 'That is not valid'}.`)
  return data
}
