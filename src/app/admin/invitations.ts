import {
  listAllInvitations,
  withdrawInvitation,
} from '#features/account/invitations/server/invitation-store.ts'
import { CommandError, type CommandResult, type Context } from './command.ts'
import { formatTableCell, table } from './format.ts'

export async function listInvitations({ database, now }: Context): Promise<CommandResult> {
  const invitations = await listAllInvitations(database, now)
  const rows = invitations.map(({ id, email = 'anybody', madeAt, expiresAt }) => [
    id,
    email,
    formatTableCell(madeAt),
    formatTableCell(expiresAt),
  ])
  const text =
    rows.length === 0
      ? 'There are no open invitations.'
      : table(['ID', 'FOR', 'MADE (UTC)', 'WORKS UNTIL'], rows)
  return { text, json: invitations }
}

export async function withdraw({ database }: Context, id: string): Promise<CommandResult> {
  if (await withdrawInvitation(database, id)) return { text: `The invitation ${id} no longer works.` }
  throw new CommandError(`There is no invitation ${id}. \`invitations\` lists them.`)
}
