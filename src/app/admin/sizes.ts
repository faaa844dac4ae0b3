import { listAllUsers } from '#features/account/server/admin-store.ts'
import { sizesOf } from '#platform/database/inspect.ts'
import type { Context, Told } from './command.ts'
import { megabytes, table } from './words.ts'

const mostListed = 10

export async function tellSizes({ database, databaseUrl, now }: Context): Promise<Told> {
  const { bytes, free, tables } = await sizesOf(databaseUrl, database)
  const users = await listAllUsers(database, now)
  const largest = users.toSorted((a, b) => b.rows - a.rows).slice(0, mostListed)
  const unused = free === undefined ? '' : `, ${megabytes(free)} of it unused`
  const says = [
    `The database takes ${megabytes(bytes)}${unused}.`,
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
  return { says, json }
}
