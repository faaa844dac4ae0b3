import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { runs } from '#testing/runs.ts'
import { waitUntil } from '#testing/wait.ts'
import type { Database } from '../database.ts'
import { migrations } from '../migrations/migrations.ts'
import { openDatabase } from '../opening/open-database.ts'
import { addUser } from '../testing/add-user.ts'
import { describeEachEngineUrl, describePostgresUrl } from '../testing/engines.ts'
import type { MigrationStep } from './migration-step.ts'
import { SchemaMoved } from './schema-watch.ts'

const changes: MigrationStep = {
  name: '9001-changes',
  async up(db) {
    await db.schema.alterTable('todos').renameColumn('title', 'words').execute()
  },
}
const changesRows: MigrationStep = {
  name: '9001-changes-rows',
  async up(db) {
    await sql`update "user" set name = upper(name)`.execute(db)
  },
}
const adds: MigrationStep = {
  name: '9000-mood-only-adds',
  async up(db) {
    await db.schema.alterTable('todos').addColumn('mood', 'text').execute()
  },
}

async function openUntilEnd(url: string, steps = migrations): Promise<Database> {
  const database = await openDatabase(url, steps)
  onTestFinished(() => database.close())
  return database
}

function usersOf(database: Database): Promise<{ id: string }[]> {
  return database.read.selectFrom('user').select('id').orderBy('id').execute()
}

const rename = (database: Database, name: string) =>
  database.write((tx) => tx.updateTable('user').set({ name }).execute())

describeEachEngineUrl('A program beside a newer one', (emptyUrl, engine) => {
  test('stores nothing any more once the tables have been changed, not even a sign-in, and hears of it', async () => {
    const url = await emptyUrl()
    const older = await openUntilEnd(url)
    const heard = Promise.withResolvers<void>()
    older.schema.onNewer(heard.resolve)
    await addUser(older.auth, engine, 'ada')
    const newer = await openUntilEnd(url, [...migrations, changes])
    // Refused by the commit itself, whether or not anybody has looked before.
    await expect(rename(older, 'Eve')).rejects.toThrow(SchemaMoved)
    await expect(addUser(older.auth, engine, 'eve')).rejects.toThrow(SchemaMoved)
    await heard.promise
    expect(older.schema.state()).toBe('newer')
    expect(await usersOf(newer)).toEqual([{ id: 'ada' }])
    await rename(newer, 'Grace')
    const { rows } = await sql`select name from "user"`.execute(newer.read)
    expect(rows).toEqual([{ name: 'Grace' }])
  })

  test('stores nothing any more once only rows have been changed', async () => {
    const url = await emptyUrl()
    const older = await openUntilEnd(url)
    await addUser(older.auth, engine, 'ada')
    const newer = await openUntilEnd(url, [...migrations, changesRows])
    await expect(rename(older, 'Eve')).rejects.toThrow(SchemaMoved)
    await expect(addUser(older.auth, engine, 'eve')).rejects.toThrow(SchemaMoved)
    const { rows } = await sql`select name from "user"`.execute(newer.read)
    expect(rows).toEqual([{ name: 'ADA' }])
  })

  test('stores nothing either while it ends', async () => {
    const url = await emptyUrl()
    const older = await openDatabase(url)
    await addUser(older.auth, engine, 'ada')
    const newer = await openUntilEnd(url, [...migrations, changesRows])
    const late = rename(older, 'Eve')
    await Promise.all([expect(late).rejects.toThrow(SchemaMoved), older.close()])
    const { rows } = await sql`select name from "user"`.execute(newer.read)
    expect(rows).toEqual([{ name: 'ADA' }])
  })

  test('notices by itself, without anything to store', async () => {
    const url = await emptyUrl()
    const older = await openUntilEnd(url)
    const heard = new Promise<void>((resolve) => older.schema.onNewer(resolve))
    await openUntilEnd(url, [...migrations, changes])
    await heard
    expect(await older.schema.check()).toBe('newer')
    // Whoever asks late hears it too.
    await new Promise<void>((resolve) => older.schema.onNewer(resolve))
  })

  test('goes on when something was only added, and starts again beside it', async () => {
    const url = await emptyUrl()
    const older = await openUntilEnd(url)
    const newer = await openUntilEnd(url, [...migrations, adds])
    await addUser(older.auth, engine, 'ada')
    await rename(older, 'Ada')
    expect(await older.schema.check()).toBe('current')
    const again = await openUntilEnd(url)
    await addUser(again.auth, engine, 'grace')
    expect(await usersOf(newer)).toEqual([{ id: 'ada' }, { id: 'grace' }])
  })

  test('does not start beside a change, though it was followed by an addition', async () => {
    const url = await emptyUrl()
    await openUntilEnd(url, [...migrations, changes, { ...adds, name: '9002-mood-only-adds' }])
    await expect(openDatabase(url)).rejects.toThrow(/newer than this program[^\n]*9001-changes/)
  })
})

test('a sign-in that waits while a newer program changes a SQLite file is not stored after it', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'daymark-fence-')), 'daymark.db')
  onTestFinished(() => rmSync(dirname(path), { recursive: true }))
  const older = await openUntilEnd(`sqlite:${path}`)
  await addUser(older.auth, 'sqlite', 'ada')
  const newer = new DatabaseSync(path)
  onTestFinished(() => newer.close())
  newer.exec('begin immediate')
  const late = addUser(older.auth, 'sqlite', 'eve')
  late.catch(() => {})
  await pause(50)
  newer.exec(`insert into kysely_migration values ('9001-changes', 'now'); commit`)
  await expect(late).rejects.toThrow(SchemaMoved)
  expect(await usersOf(older)).toEqual([{ id: 'ada' }])
})

describePostgresUrl('While a newer program changes the tables', (emptyUrl) => {
  /** A program that is at work in the middle of its update, until it is told how that ends. */
  async function updateUntil(url: string) {
    const end = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const waits: MigrationStep = {
      name: '9001-waits',
      async up() {
        begun.resolve()
        await end.promise
      },
    }
    const opening = openDatabase(url, [...migrations, waits])
    opening.catch(() => {})
    await begun.promise
    return { opening, end }
  }

  test('an older one stores nothing, and goes on when the update has failed', async () => {
    const url = await emptyUrl()
    const older = await openUntilEnd(url)
    await addUser(older.auth, 'postgres', 'ada')
    const { opening, end } = await updateUntil(url)
    await expect(rename(older, 'Eve')).rejects.toThrow(SchemaMoved)
    expect(await older.schema.check()).toBe('updating')
    end.reject(new Error('planted'))
    await expect(opening).rejects.toThrow('planted')
    await waitUntil(() => older.schema.state() === 'current')
    await rename(older, 'Ada')
    expect(await usersOf(older)).toEqual([{ id: 'ada' }])
  })

  test('a write that had begun before is not stored after it', async () => {
    const url = await emptyUrl()
    const older = await openUntilEnd(url)
    await addUser(older.auth, 'postgres', 'ada')
    const written = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    const writing = older.write(async (tx) => {
      await tx.updateTable('user').set({ name: 'Eve' }).execute()
      written.resolve()
      await go.promise
    })
    writing.catch(() => {})
    await written.promise
    const newer = await openUntilEnd(url, [...migrations, changes])
    go.resolve()
    await expect(writing).rejects.toThrow(SchemaMoved)
    const { rows } = await sql`select name from "user"`.execute(newer.read)
    expect(rows).toEqual([{ name: 'ada' }])
  })

  test('no write comes in between, however close it is', async () => {
    const url = await emptyUrl()
    const newer = new pg.Client({ connectionString: url })
    await newer.connect()
    onTestFinished(() => newer.end())
    await (await openDatabase(url)).close()
    // One in which every statement of a transaction sees what the first one saw would hide the update from its end.
    await newer.query(
      `alter database ${new URL(url).pathname.slice(1)} set default_transaction_isolation = 'repeatable read'`,
    )
    for (let round = 0; round < runs(300, 6); round++) {
      const older = await openDatabase(url, migrations, { poolSize: 6 })
      if (round === 0) await addUser(older.auth, 'postgres', 'ada')
      let going = true
      const working = Array.from({ length: 6 }, async () => {
        while (going) await rename(older, `by rules of ${round}`).catch(() => undefined)
      })
      await pause(20)
      // What an update does, as quickly as can be.
      await newer.query(`begin; select pg_advisory_xact_lock(4914202612);
        update "user" set name = 'new'; insert into kysely_migration values ('9001-changes', ''); commit`)
      await pause(20)
      going = false
      await Promise.all(working)
      const { rows } = await newer.query('select name from "user"')
      expect(rows).toEqual([{ name: 'new' }])
      await older.close()
      await newer.query(`delete from kysely_migration where name = '9001-changes'`)
    }
  }, 600_000)

  test('an addition waits for a table that is in use, but lets others use it meanwhile', async () => {
    const url = await emptyUrl()
    const older = await openUntilEnd(url)
    const reading = Promise.withResolvers<void>()
    const read = older.snapshot(async (tx) => {
      await tx.selectFrom('todos').select('id').execute()
      await reading.promise
    })
    const opening = openDatabase(url, [...migrations, adds])
    let opened = false
    void opening.then(() => {
      opened = true
    })
    await waitUntil(async () => (await waitingForTodos(older)) > 0)
    // Gives up its place in the queue, in which everybody else would stand behind it.
    await waitUntil(async () => (await waitingForTodos(older)) === 0)
    expect(opened).toBe(false)
    reading.resolve()
    await read
    await (await opening).close()
  })
})

async function waitingForTodos({ read }: Database): Promise<number> {
  const { rows } = await sql`
    select 1 from pg_locks where relation = 'todos'::regclass and not granted`.execute(read)
  return rows.length
}
