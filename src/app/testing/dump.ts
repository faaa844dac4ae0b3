import { sql } from 'kysely'
import type { Database } from '#platform/database/database.ts'

const owners: Record<string, string> = {
  user: 'id',
  session: 'userId',
  account: 'userId',
  closed_accounts: 'user_id',
  todos: 'user_id',
  preferences: 'user_id',
  habits: 'user_id',
  completions: 'user_id',
  habit_years: 'user_id',
  focus_sessions: 'user_id',
  focus_days: 'user_id',
  focus_timers: 'user_id',
  pictures: 'user_id',
  alarms: 'user_id',
  push_devices: 'user_id',
  mail_reminders: 'user_id',
  deliveries: 'user_id',
  deleted_accounts: 'user_id',
}

/** Rows that belong to nobody. */
const shared = new Set(['verification', 'rateLimit', 'sign_ups', 'invitations', 'push_keys'])

/** Renewed by each write, also by one that found nothing to change. */
const unlike = new Set(['revisions'])

/** Every row of every table, or of one user's, in an order that two dumps share. */
export async function dump(database: Database, user?: string): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {}
  for (const { name } of await database.read.introspection.getTables()) {
    if (unlike.has(name)) continue
    const owner = owners[name]
    // A new table is in no dump by chance: somebody says here whose its rows are.
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
