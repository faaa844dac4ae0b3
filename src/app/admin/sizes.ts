import { listAllUsers } from '#features/account/server/admin-store.ts'
import { sizesOf } from '#platform/database/opening/inspect.ts'
import type { CommandResult, Context } from './command.ts'
import { formatBytes, table } from './format.ts'

const maxListed = 10

export async function showSizes({ database, databaseUrl, now }: Context): Promise<CommandResult> {
  const { bytes, free, tables } = await sizesOf(databaseUrl, database)
  const users = await listAllUsers(database, now)
  const largest = users.toSorted((a, b) => b.rows - a.rows).slice(0, maxListed)
  const unused = free === undefined ? '' : `, ${formatBytes(free)} of it unused`
  const text = [
    `The database takes ${formatBytes(bytes)}${unused}.`,
    table(
      ['TABLE', 'ROWS'],
      tables.map(({ name, rows }) => [name, String(rows)]),
    ),
    table(
      ['LARGEST ACCOUNTS', 'ROWS'],
      largest.map(({ email, rows }) => [email, String(rows)]),
    ),
  ].join('\n\n')
  const json = { bytes, free, tables, largest: largest.map(({ id, email, rows }) => ({ id, email, rows })) }
  return { text, json }
}
