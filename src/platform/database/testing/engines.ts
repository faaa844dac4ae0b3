import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, inject, onTestFinished, TestRunner } from 'vitest'
import { type Database, openDatabase } from '../database.ts'
import type { Engine } from '../migrations/migration-step.ts'
import { migrations } from '../migrations/migrations.ts'
import { type RowLimits, rowLimits } from '../row-limits.ts'

type Undo = () => Promise<void>

/**
 * The same tests on both engines. Each call of `openEmpty` gives a migrated database of its own, which is closed and
 * removed when the test that asked for it ends, or with the last test when it was asked for in `beforeAll`.
 * Without a PostgreSQL its half is skipped, or fails when DAYMARK_REQUIRE_POSTGRES is 1.
 */
export function describeEachEngine(
  name: string,
  tests: (openEmpty: (limits?: Partial<RowLimits>) => Promise<Database>, engine: Engine) => void,
): void {
  describe(`${name} on SQLite`, () => {
    const { afterThis } = undoing()
    tests((limits) => openUntil(afterThis, emptySqlite(afterThis), limits), 'sqlite')
  })
  describePostgres(name, (server) => {
    const { afterThis, afterAllOfThem } = undoing()
    // Making a database takes ten times as long as emptying one.
    const emptied: string[] = []
    const openEmpty = async (limits?: Partial<RowLimits>) => {
      const url = emptied.pop() ?? (await emptyPostgres(server(), afterAllOfThem))
      afterThis(async () => {
        await empty(url)
        emptied.push(url)
      })
      return openUntil(afterThis, url, limits)
    }
    tests(openEmpty, 'postgres')
  })
}

/** The same for tests that open it themselves or change its tables: `emptyUrl` gives a database without any tables. */
export function describeEachEngineUrl(
  name: string,
  tests: (emptyUrl: () => Promise<string>, engine: Engine) => void,
): void {
  describe(`${name} on SQLite`, () => {
    const { afterThis } = undoing()
    tests(async () => emptySqlite(afterThis), 'sqlite')
  })
  describePostgresUrl(name, (emptyUrl) => tests(emptyUrl, 'postgres'))
}

/** For what only PostgreSQL can do to us. */
export function describePostgresUrl(name: string, tests: (emptyUrl: () => Promise<string>) => void): void {
  describePostgres(name, (server) => {
    const { afterThis } = undoing()
    tests(() => emptyPostgres(server(), afterThis))
  })
}

function describePostgres(name: string, tests: (server: () => string) => void): void {
  const postgres = inject('postgres')
  const skipped = 'missing' in postgres && process.env.DAYMARK_REQUIRE_POSTGRES !== '1'
  describe.skipIf(skipped)(`${name} on PostgreSQL`, () =>
    tests(() => {
      if ('missing' in postgres) throw new Error(postgres.missing)
      return postgres.url
    }),
  )
}

function emptySqlite(afterwards: (undo: Undo) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-sqlite-'))
  afterwards(async () => rmSync(folder, { recursive: true, force: true }))
  return `sqlite:${join(folder, 'data', 'daymark.db')}`
}

async function emptyPostgres(server: string, afterwards: (undo: Undo) => void): Promise<string> {
  const database = `daymark_test_${crypto.randomUUID().replaceAll('-', '')}`
  await run(server, `create database ${database}`)
  afterwards(() => run(server, `drop database if exists ${database} with (force)`))
  const url = new URL(server)
  url.pathname = database
  return url.href
}

async function empty(postgres: string): Promise<void> {
  await run(
    postgres,
    `do $$ begin execute (
       select 'truncate ' || string_agg(format('%I', tablename), ', ') from pg_tables
       where schemaname = 'public' and tablename not like 'kysely_%'
     ); end $$`,
  )
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function openUntil(
  afterwards: (undo: Undo) => void,
  url: string,
  limits: Partial<RowLimits> = {},
): Promise<Database> {
  const database = await openDatabase(url, migrations, { limits: { ...rowLimits, ...limits } })
  afterwards(() => database.close())
  return database
}

/** What was done last is undone first. */
function undoing() {
  const undos: Undo[] = []
  afterAll(async () => {
    for (const undo of undos.toReversed()) await undo()
  })
  const afterAllOfThem = (undo: Undo) => {
    undos.push(undo)
  }
  const afterThis = (undo: Undo) => {
    if (TestRunner.getCurrentTest()) onTestFinished(undo)
    else afterAllOfThem(undo)
  }
  return { afterThis, afterAllOfThem }
}
