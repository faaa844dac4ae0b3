import { mkdtempSync, readdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '#platform/database/opening/open-database.ts'

// The databases of a test run on its server. Test files pass them on to each other, since creating a database takes much longer
// than emptying one. All are dropped when the run ends.

/** What test files in other processes need to create databases and pass them on. */
export interface Postgres {
  url: string
  /** The prefix of the names of all databases of this run. */
  prefix: string
  /** A folder with one file for each unused database, named after it. */
  free: string
  /** How `create database` copies. Copying files takes half as long as writing each page to the log. */
  strategy: '' | 'strategy file_copy'
}

export async function prepareDatabases(url: string): Promise<Postgres> {
  const prefix = `daymark_test_${crypto.randomUUID().slice(0, 8)}_`
  const free = mkdtempSync(join(tmpdir(), 'daymark-databases-'))
  const [asked] = await run<{ server_version_num: string }>(url, 'show server_version_num')
  // Servers before version 15 have no `strategy` option.
  const strategy = Number(asked?.server_version_num) < 150_000 ? '' : 'strategy file_copy'
  const postgres = { url, prefix, free, strategy } as const
  await run(url, `create database ${template(postgres)}`)
  const migrated = await openDatabase(urlOf(postgres, template(postgres)))
  await migrated.close()
  return postgres
}

/** Creates a database without tables. */
export function makeDatabase(postgres: Postgres): Promise<string> {
  return create(postgres, 'template1')
}

/** Returns a database with our tables, which still holds the rows of the test file that used it last. */
export async function takeDatabase(postgres: Postgres): Promise<string> {
  for (const name of readdirSync(postgres.free)) {
    try {
      // Deleting the file claims the database: if several processes try, exactly one succeeds. `rmSync` looks first, so more than
      // one process could succeed.
      unlinkSync(join(postgres.free, name))
      return urlOf(postgres, name)
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }
  return create(postgres, template(postgres))
}

export function handBack({ free }: Postgres, url: string): void {
  writeFileSync(join(free, new URL(url).pathname.slice(1)), '')
}

export async function dropDatabases({ url, prefix }: Postgres): Promise<void> {
  const all = await run<{ datname: string }>(
    url,
    `select datname from pg_database where starts_with(datname, '${prefix}')`,
  )
  for (const { datname } of all) await run(url, `drop database ${datname} with (force)`)
}

function template({ prefix }: Postgres): string {
  return `${prefix}template`
}

async function create(postgres: Postgres, template: string): Promise<string> {
  const name = postgres.prefix + crypto.randomUUID().replaceAll('-', '')
  await run(postgres.url, `create database ${name} template ${template} ${postgres.strategy}`)
  return urlOf(postgres, name)
}

function urlOf(postgres: Postgres, name: string): string {
  const url = new URL(postgres.url)
  url.pathname = name
  return url.href
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

async function run<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Row>(statement)
    return rows
  } finally {
    await client.end()
  }
}
