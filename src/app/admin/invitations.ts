import { listAllInvitations, withdrawInvitation } from '#features/account/server/invitation-store.ts'
import { type Context, Refused, type Told } from './command.ts'
import { inTable, table } from './words.ts'

export async function listInvitations({ database, now }: Context): Promise<Told> {
  const invitations = await listAllInvitations(database, now)
  const rows = invitations.map(({ id, email = 'anybody', madeAt, expiresAt }) => [
    id,
    email,
    inTable(madeAt),
    inTable(expiresAt),
  ])
  const says =
    rows.length === 0
      ? 'There are no open invitations.'
      : table(['ID', 'FOR', 'MADE (UTC)', 'WORKS UNTIL'], rows)
  return { says, json: invitations }
}

export async function withdraw({ database }: Context, id: string): Promise<Told> {
  if (await withdrawInvitation(database, id)) return { says: `The invitation ${id} no longer works.` }
  throw new Refused(`There is no invitation ${id}. \`invitations\` lists them.`)
}
