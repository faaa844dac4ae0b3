import { sql } from 'kysely'
import type { Database } from '#platform/database/database.ts'
import { userTables } from '../row-kinds.ts'

const owners: Record<string, string> = {
  ...Object.fromEntries(userTables.map((table) => [table, 'user_id'])),
  user: 'id',
  session: 'userId',
  account: 'userId',
  closed_accounts: 'user_id',
  preferences: 'user_id',
  focus_timers: 'user_id',
  pictures: 'user_id',
  push_devices: 'user_id',
  mail_reminders: 'user_id',
  deleted_accounts: 'user_id',
  tag_changes: 'user_id',
  imports: 'user_id',
}

/** Tables whose rows belong to no user. */
const shared = new Set(['verification', 'rateLimit', 'sign_ups', 'invitations', 'push_keys'])

/** Tables that are left out, because they change with every write, even a write that found nothing to change. */
const unlike = new Set(['revisions', 'row_changes'])

/** Every row of every table, or only one user's, in an order that makes two dumps comparable. */
export async function dump(database: Database, user?: string): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {}
  for (const { name } of await database.read.introspection.getTables()) {
    if (unlike.has(name)) continue
    const owner = owners[name]
    // Fails for a new table, which has to be listed above with the owner of its rows.
    if (owner === undefined && !shared.has(name) && !name.startsWith('kysely_'))
      throw new Error(`Whose is ${name}?`)
    if (user !== undefined && owner === undefined) continue
    const all = sql`select * from ${sql.table(name)}`
    const { rows } = await (user === undefined || owner === undefined
      ? all.execute(database.read)
      : sql`select * from ${sql.table(name)} where ${sql.ref(owner)} = ${user}`.execute(database.read))
    tables[name] = rows.map((row) => JSON.stringify(row)).sort()
  }
  return tables
}
