import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { formerNames } from '../schema/former-names.ts'
import { type Contents, tablesNotRestored } from '../storage/contents.ts'
import { DatabaseError } from '../storage/database-error.ts'
import { startTool, versionOfTool } from './tools.ts'

/**
 * Throws a DatabaseError if PostgreSQL's own programs are missing, or older than the server: an older program refuses to dump it.
 */
export async function requireTools(
  url: string,
  names: readonly ('pg_dump' | 'pg_restore' | 'psql')[],
): Promise<void> {
  const server = await connected(url, async (client) => {
    const { rows } = await client.query(`select current_setting('server_version_num')::int / 10000 as major`)
    return Number(rows[0].major)
  })
  for (const name of names) {
    const version = await versionOfTool(name)
    if (Number.parseInt(version, 10) < server)
      throw new DatabaseError(`this PostgreSQL needs ${name} ${server} or later; found ${version}`)
  }
}

/**
 * Writes everything committed at one moment into `file`, and returns the row counts at that same moment. `url` must bypass any
 * pooler: the snapshot belongs to a session.
 */
export function dumpPostgres(url: string, file: string, signal?: AbortSignal): Promise<Contents> {
  return connected(url, async (client) => {
    await client.query('begin isolation level repeatable read read only')
    const { rows } = await client.query('select pg_export_snapshot() as snapshot')
    const contents = await contentsOf(client)
    const args = ['--format=custom', '--no-owner', '--no-privileges', `--snapshot=${rows[0].snapshot}`]
    await startTool('pg_dump', [...args, `--file=${file}`], { url, signal }).done
    return contents
  })
}

/** Unpacks a whole dump and counts the rows of each table in it. */
export async function countDump(file: string, signal?: AbortSignal): Promise<Contents['rows']> {
  const tool = startTool('pg_restore', ['--data-only', '--file=-', file], { signal })
  const rows: Contents['rows'] = {}
  let table: string | undefined
  let rest = ''
  // Decode one character per byte: row contents do not matter here, and table names are ASCII.
  for await (const text of tool.output.setEncoding('latin1')) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (table === undefined) {
        table = /^COPY [^ ]+\.([^ ]+) \(.*\) FROM stdin;$/.exec(line)?.[1]?.replaceAll('"', '')
        if (table !== undefined) rows[table] = 0
      } else if (line === '\\.') table = undefined
      else rows[table] = (rows[table] ?? 0) + 1
    }
  }
  await tool.done
  return rows
}

export function countPostgres(url: string): Promise<Contents | undefined> {
  return connected(url, async (client) => {
    const { rows } = await client.query(`select to_regclass('kysely_migration') as known`)
    return rows[0].known === null ? undefined : contentsOf(client)
  })
}

/** How many connections running Daymark servers have to the database. */
export function connectionsOfDaymark(url: string): Promise<number> {
  return connected(url, async (client) => {
    const { rows } = await client.query(
      `select count(*)::int as there from pg_stat_activity
       where datname = current_database() and application_name = 'daymark'`,
    )
    return Number(rows[0].there)
  })
}

/**
 * Replaces all existing tables with those of the dump, and removes rows that must not come back. If it fails, nothing changes.
 */
export async function restoreDump(
  url: string,
  file: string,
  { rows }: Pick<Contents, 'rows'>,
): Promise<void> {
  const there = await connected(url, tablesOf)
  const psql = startTool('psql', ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', '--output=/dev/null'], {
    url,
  })
  const unpacking = startTool('pg_restore', ['--no-owner', '--no-privileges', '--file=-', file])
  psql.input.write('begin;\nset client_min_messages = warning;\n')
  if (there.length > 0) psql.input.write(`drop table ${there.join(', ')} cascade;\n`)
  try {
    await Promise.all([pipeline(unpacking.output, psql.input, { end: false }), unpacking.done])
  } catch (error) {
    // Without `commit`, nothing changes. If psql gave up first, its own error says why.
    psql.input.end()
    await psql.done
    throw error
  }
  const ended = tablesNotRestored.filter((table) => table in rows)
  psql.input.end(`${ended.map((table) => `delete from public."${table}";\n`).join('')}commit;\n`)
  await psql.done
}

async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = current_schema()`,
  )
  return rows.map(({ name }) => String(name))
}

async function contentsOf(client: pg.Client): Promise<Contents> {
  const applied = await client.query('select name from kysely_migration')
  const names = applied.rows.map(({ name }) => formerNames[name] ?? String(name)).toSorted()
  const { rows: tables } = await client.query(
    `select tablename as name, format('%I.%I', schemaname, tablename) as quoted from pg_tables
     where schemaname = current_schema()`,
  )
  const rows: Contents['rows'] = {}
  for (const { name, quoted } of tables) {
    const counted = await client.query(`select count(*)::float8 as rows from ${quoted}`)
    rows[name] = Number(counted.rows[0].rows)
  }
  return { migration: names.at(-1) ?? 'none', rows }
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'daymark backup' })
  // If the connection breaks, the pending query reports the error.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
