import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { deleteAccount } from '#features/account/ending/server/account-deletion-store.ts'
import { closeAccount, reopenAccount } from '#features/account/ending/server/closed-account-store.ts'
import { saveInvitation } from '#features/account/invitations/server/invitation-store.ts'
import { makePasswordReset } from '#features/account/password/server/password-reset.ts'
import { findUserByEmail, listAllUsers } from '#features/account/server/admin-store.ts'
import { signUpSchema } from '#features/account/sign-in/account.ts'
import { userTables } from '../row-kinds.ts'
import { CommandError, type CommandResult, type Context } from './command.ts'
import { formatInstant, formatTableCell, table } from './format.ts'

const day = 24 * 60 * 60 * 1000

export async function listUsers({ database, now }: Context, search?: string): Promise<CommandResult> {
  const users = await listAllUsers(database, now, search)
  const rows = users.map(({ email, name, madeAt, usedAt, sessions, rows, isClosed, isConfirmed }) => [
    email,
    name,
    formatTableCell(madeAt),
    formatTableCell(usedAt),
    String(sessions),
    String(rows),
    isClosed ? 'closed' : isConfirmed ? 'confirmed' : '',
  ])
  const names = ['EMAIL', 'NAME', 'SINCE (UTC)', 'LAST SEEN', 'SIGNED IN', 'ROWS', '']
  return { text: users.length === 0 ? 'There are no accounts.' : table(names, rows), json: users }
}

/** Creates an account. The person chooses the password, so the operator never learns it. */
export async function addUser(
  context: Context,
  email: string,
  name: string | undefined,
): Promise<CommandResult> {
  if (await findUserByEmail(context.database, email)) {
    throw new CommandError(`There is already an account with ${email}.`)
  }
  return invite(context, { email, name, days: 7 })
}

interface InvitationRequest {
  email?: string | undefined
  name?: string | undefined
  days: number
}

export async function invite(
  context: Context,
  { email, name, days }: InvitationRequest,
): Promise<CommandResult> {
  const { database, now, linkTo } = context
  const token = randomBytes(32).toString('base64url')
  const expiresAt = now + days * day
  const prefilled = {
    ...(email !== undefined && { email: wellFormed(signUpSchema.shape.email, email) }),
    ...(name !== undefined && { name: wellFormed(signUpSchema.shape.name, name) }),
  }
  await saveInvitation(database, token, prefilled, { madeAt: now, expiresAt })
  const link = linkTo('/join', token)
  const to = email ?? 'whom you want to invite'
  return {
    text: `Send this link to ${to}. It works once, until ${formatInstant(expiresAt)}:\n${link}`,
    json: { link, expiresAt },
  }
}

export async function resetPassword(context: Context, email: string): Promise<CommandResult> {
  const user = await userOf(context, email)
  const auth = await context.auth()
  const expiresAt = context.now + day
  const link = context.linkTo('/reset-password', await makePasswordReset(auth, user.id, expiresAt))
  return {
    text: `Send this link to ${user.name}. It works once, for 24 hours, and then signs out all of their browsers:\n${link}`,
    json: { link, expiresAt },
  }
}

export async function closeUser(context: Context, email: string): Promise<CommandResult> {
  const user = await userOf(context, email)
  await closeAccount(context.database, user.id, context.now)
  return { text: `${user.email} is closed and signed out everywhere. Their data stays.` }
}

export async function reopenUser(context: Context, email: string): Promise<CommandResult> {
  const user = await userOf(context, email)
  await reopenAccount(context.database, user.id)
  return { text: `${user.email} can sign in again.` }
}

export async function deleteUser(context: Context, email: string, isSure: boolean): Promise<CommandResult> {
  const { database } = context
  const user = await userOf(context, email)
  const typed = isSure
    ? user.email
    : await context.ask(
        `This permanently deletes ${user.email} and everything of theirs. Type the email to confirm: `,
      )
  if (typed === undefined) throw new CommandError('Nobody can be asked here: add --yes to delete it.')
  if (typed.trim().toLowerCase() !== user.email)
    throw new CommandError('That is a different email. Nothing was deleted.')
  // The file is not rewritten here, because a running server would have to wait with its writes. The server rewrites the file
  // later.
  await deleteAccount(database, user, userTables, context.now)
  const bytes =
    database.engine === 'sqlite'
      ? '\nWithin an hour, or at its next start, Daymark removes the data from its file too.'
      : ''
  return { text: `${user.email} is deleted, with everything of theirs.${bytes}` }
}

export async function userOf({ database }: Context, email: string) {
  const user = await findUserByEmail(database, email)
  if (!user) throw new CommandError(`There is no account with ${email}.`)
  return user
}

function wellFormed(schema: z.ZodMiniType<string>, typed: string): string {
  const { data, error } = z.safeParse(schema, typed)
  if (error) throw new CommandError(`${error.issues[0]?.message ?? 'That is not valid'}.`)
  return data
}
