import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, describe, inject, onTestFinished, TestRunner } from 'vitest'
import type { Database } from '../database.ts'
import { migrations } from '../migrations/migrations.ts'
import { openDatabase } from '../opening/open-database.ts'
import type { RowLimits } from '../row-limits.ts'
import type { Engine } from '../schema/migration-step.ts'
import { handBack, makeDatabase, type Postgres, takeDatabase } from './postgres/postgres-databases.ts'

type Undo = () => Promise<void>

/**
 * Runs the same tests on both engines. Each call of `openEmpty` returns a separate migrated database. It is closed and removed
 * when the calling test ends, or after the last test if the call is in `beforeAll`. Without PostgreSQL, its tests are skipped, or
 * fail if DAYMARK_REQUIRE_POSTGRES is 1.
 */
export function describeEachEngine(
  name: string,
  tests: (openEmpty: (limits?: RowLimits) => Promise<Database>, engine: Engine) => void,
): void {
  describe(`${name} on SQLite`, () => {
    const afterThis = undoing()
    tests(async (limits) => {
      const { folder, migrated } = inject('sqlite')
      const path = join(temporaryFolder(folder, afterThis), 'daymark.db')
      copyFileSync(migrated, path)
      return openUntil(afterThis, `sqlite:${path}`, limits)
    }, 'sqlite')
  })
  describePostgres(name, (server) => {
    const afterThis = undoing()
    const openEmpty = async (limits?: RowLimits) => {
      const url = await takeDatabase(server())
      afterThis(async () => handBack(server(), url))
      const database = await openUntil(afterThis, url, limits)
      await empty(database)
      return database
    }
    tests(openEmpty, 'postgres')
  })
}

/**
 * Like `describeEachEngine`, for tests that open the database themselves or change its tables: `emptyUrl` returns the URL of a
 * database without tables.
 */
export function describeEachEngineUrl(
  name: string,
  tests: (emptyUrl: () => Promise<string>, engine: Engine) => void,
): void {
  describe(`${name} on SQLite`, () => {
    const afterThis = undoing()
    const emptyUrl = async () => `sqlite:${join(temporaryFolder(tmpdir(), afterThis), 'data', 'daymark.db')}`
    tests(emptyUrl, 'sqlite')
  })
  describePostgresUrl(name, (emptyUrl) => tests(emptyUrl, 'postgres'))
}

/** Runs tests for failures that only PostgreSQL can have. */
export function describePostgresUrl(name: string, tests: (emptyUrl: () => Promise<string>) => void): void {
  describePostgres(name, (server) => tests(() => makeDatabase(server())))
}

function describePostgres(name: string, tests: (server: () => Postgres) => void): void {
  const postgres = inject('postgres')
  const skipped = 'missing' in postgres && process.env.DAYMARK_REQUIRE_POSTGRES !== '1'
  describe.skipIf(skipped)(`${name} on PostgreSQL`, () =>
    tests(() => {
      if ('missing' in postgres) throw new Error(postgres.missing)
      return postgres
    }),
  )
}

function temporaryFolder(within: string, afterwards: (undo: Undo) => void): string {
  const folder = mkdtempSync(join(within, 'daymark-sqlite-'))
  afterwards(async () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Empties all tables. Small tables are deleted from instead of truncated: truncating creates new files for the table and each of
 * its indexes.
 */
async function empty(database: Database): Promise<void> {
  await sql`do $$
    declare each record;
    begin
      set local session_replication_role = replica;
      for each in
        select oid::regclass as name, pg_relation_size(oid) as bytes from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'kysely_%'
      loop
        if each.bytes > 65536 then execute format('truncate %s cascade', each.name);
        elsif each.bytes > 0 then execute format('delete from %s', each.name);
        end if;
      end loop;
    end
  $$`.execute(database.auth)
}

async function openUntil(
  afterwards: (undo: Undo) => void,
  url: string,
  limits: RowLimits = {},
): Promise<Database> {
  const database = await openDatabase(url, migrations, { limits })
  afterwards(() => database.close())
  return database
}

/**
 * Returns a function that registers an undo step. Steps run when the current test ends, or after all tests if no test is running;
 * the latest step runs first.
 */
function undoing(): (undo: Undo) => void {
  const undos: Undo[] = []
  afterAll(async () => {
    for (const undo of undos.toReversed()) await undo()
  })
  return (undo) => {
    if (TestRunner.getCurrentTest()) onTestFinished(undo)
    else undos.push(undo)
  }
}
