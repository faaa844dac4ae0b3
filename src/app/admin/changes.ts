import { listAllUsers } from '#features/account/server/admin-store.ts'
import { countFutureRows } from '#platform/database/instants/count-future-rows.ts'
import { mendFutureInstants } from '#platform/database/instants/mend-future-instants.ts'
import { tablesToMend } from '../row-kinds.ts'
import type { CommandResult, Context } from './command.ts'
import { table } from './format.ts'
import { userOf } from './users.ts'

/** Sets change instants in the future to now, in one account or in all. Devices are notified as of any other change. */
export async function setChangesToNow(context: Context, email?: string): Promise<CommandResult> {
  const { database, now } = context
  const users = email === undefined ? await usersWithFutureRows(context) : [await userOf(context, email)]
  const mended = []
  for (const { id, email } of users) {
    const rows = await mendFutureInstants(database, tablesToMend, id, { now, becomes: now })
    if (rows > 0) mended.push({ id, email, rows })
  }
  const rows = mended.map(({ email, rows }) => [email, String(rows)])
  const text = mended.length === 0 ? 'No change is dated in the future.' : table(['EMAIL', 'ROWS'], rows)
  return { text, json: mended }
}

async function usersWithFutureRows({ database, now }: Context): Promise<{ id: string; email: string }[]> {
  const { users } = await countFutureRows(database.read, tablesToMend, now, { rest: 0 })
  return users.size === 0 ? [] : (await listAllUsers(database, now)).filter(({ id }) => users.has(id))
}
