import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, inject, onTestFinished, TestRunner } from 'vitest'
import { type Database, openDatabase } from '../database.ts'
import type { Engine } from '../migrations/migration-step.ts'

/**
 * The same tests on both engines. Each call of `openEmpty` gives a migrated database of its own, which is closed and
 * removed when the test that asked for it ends, or all of them when it was asked for in `beforeAll`.
 * Without a PostgreSQL its half is skipped, or fails when DAYMARK_REQUIRE_POSTGRES is 1.
 */
export function describeEachEngine(
  name: string,
  tests: (openEmpty: () => Promise<Database>, engine: Engine) => void,
): void {
  describeEachEngineUrl(name, (emptyUrl, engine) => {
    const later = afterThisTestOrAll()
    const openEmpty = async () => {
      const database = await openDatabase(await emptyUrl())
      later(() => database.close())
      return database
    }
    tests(openEmpty, engine)
  })
}

/** The same for tests of opening itself: `emptyUrl` gives the address of a database without any tables. */
export function describeEachEngineUrl(
  name: string,
  tests: (emptyUrl: () => Promise<string>, engine: Engine) => void,
): void {
  describe(`${name} on SQLite`, () => {
    const later = afterThisTestOrAll()
    const emptyUrl = async () => {
      const folder = mkdtempSync(join(tmpdir(), 'daymark-sqlite-'))
      later(async () => rmSync(folder, { recursive: true, force: true }))
      return `sqlite:${join(folder, 'data', 'daymark.db')}`
    }
    tests(emptyUrl, 'sqlite')
  })

  const postgres = inject('postgres')
  const skipped = 'missing' in postgres && process.env.DAYMARK_REQUIRE_POSTGRES !== '1'
  describe.skipIf(skipped)(`${name} on PostgreSQL`, () => {
    const later = afterThisTestOrAll()
    const emptyUrl = async () => {
      if ('missing' in postgres) throw new Error(postgres.missing)
      const database = `daymark_test_${crypto.randomUUID().replaceAll('-', '')}`
      await administer(postgres.url, `create database ${database}`)
      later(() => administer(postgres.url, `drop database if exists ${database} with (force)`))
      const url = new URL(postgres.url)
      url.pathname = database
      return url.href
    }
    tests(emptyUrl, 'postgres')
  })
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** What is undone last was done first, as the files of a database outlive its connections. */
function afterThisTestOrAll(): (undo: () => Promise<void>) => void {
  const undoAfterAll: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const undo of undoAfterAll.toReversed()) await undo()
  })
  return (undo) => {
    if (TestRunner.getCurrentTest()) onTestFinished(undo)
    else undoAfterAll.push(undo)
  }
}
