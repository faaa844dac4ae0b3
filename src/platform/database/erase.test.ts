import { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { waitFor } from '#testing/wait.ts'
import type { Database } from './database.ts'
import { openDatabase } from './opening/open-database.ts'
import { addUser } from './testing/add-user.ts'
import { describeEachEngine } from './testing/engines.ts'
import { newPath } from './testing/sqlite-file.ts'
import { fillerOf, insertRows } from './testing/table-rows.ts'

describeEachEngine('Erasing', (openEmpty) => {
  test('is a write: all of it or nothing', async () => {
    const db = await openEmpty()
    for (const user of ['ada', 'eve']) await addUser(db.auth, db.engine, user)
    await db.erase((tx) => tx.deleteFrom('user').where('id', '=', 'ada').execute())
    const failing = db.erase(async (tx) => {
      await tx.deleteFrom('user').execute()
      throw new Error('changed its mind')
    })
    await expect(failing).rejects.toThrow('changed its mind')
    const left = await db.read.selectFrom('user').select('id').execute()
    expect(left).toEqual([{ id: 'eve' }])
    await db.scrub()
  })
})

/** How often a text occurs in the file and in the log beside it. */
function remains(path: string, text: string): number {
  return [path, `${path}-wal`]
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file).toString('latin1').split(text).length - 1)
    .reduce((sum, count) => sum + count, 0)
}

async function opened(path: string): Promise<Database> {
  const db = await openDatabase(`sqlite:${path}`)
  onTestFinished(() => db.close())
  return db
}

/** Adds, changes and deletes interleaved rows of several users for a while, so that pages split and merge. */
async function live(db: Database, users: readonly string[], seed: number): Promise<void> {
  let state = seed
  const below = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
    return state % limit
  }
  const filled = await fillerOf(db.read, 'todos')
  for (let round = 0; round < 10; round++) {
    await db.write(async (tx) => {
      for (let step = 0; step < 120; step++) {
        const user = users[below(users.length)] ?? ''
        const id = `row-${below(300)}`
        const title = `${user}-SECRET-${'x'.repeat(below(400))}`
        if (below(5) === 0) {
          await tx.deleteFrom('todos').where('user_id', '=', user).where('id', '=', id).execute()
          continue
        }
        const row = filled({ user_id: user, id, title, created_at: below(1000) })
        const { numUpdatedRows } = await tx
          .updateTable('todos')
          .set({ title })
          .where('user_id', '=', user)
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) await insertRows(tx, 'todos', [row])
      }
      for (const user of users) {
        const webp = `${user}-SECRET`.repeat(1 + below(3000))
        await tx
          .insertInto('pictures')
          .values({ user_id: user, id: 'picture', webp })
          .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ webp }))
          .execute()
      }
    })
  }
}

test("nothing that was erased remains in SQLite's file or in the log beside it", async () => {
  for (const seed of [1, 2, 3]) {
    const path = newPath()
    const db = await opened(path)
    for (const user of ['ada', 'bob', 'eve']) await addUser(db.auth, 'sqlite', user)
    await live(db, ['ada', 'bob', 'eve'], seed)
    expect(remains(path, 'ada-SECRET')).toBeGreaterThan(1000)

    await db.erase((tx) => tx.deleteFrom('user').where('id', '=', 'ada').execute())
    await db.scrub()

    expect(remains(path, 'ada-SECRET')).toBe(0)
    expect(remains(path, 'ada@')).toBe(0)
    expect(remains(path, 'bob-SECRET')).toBeGreaterThan(100)
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db.read)
    expect(rows).toEqual([{ integrity_check: 'ok' }])
  }
})

/** Fails if this takes as long as the hourly cleanup. */
async function untilScrubbed(path: string): Promise<void> {
  await waitFor(() => expect(markOf(path)).toBe(0))
}

function markOf(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return database.prepare('pragma user_version').get()?.user_version
  } finally {
    database.close()
  }
}

/** Whether another process is writing at this moment. */
function isLocked(path: string): boolean {
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    database.exec('begin immediate; rollback')
    return false
  } catch {
    return true
  } finally {
    database.close()
  }
}

test('erased rows leave the file without further calls once nobody writes', async () => {
  const path = newPath()
  const db = await opened(path)
  for (const user of ['ada', 'bob']) await addUser(db.auth, 'sqlite', user)
  await live(db, ['ada', 'bob'], 7)
  await db.erase((tx) => tx.deleteFrom('user').where('id', '=', 'ada').execute())
  await untilScrubbed(path)
  expect(remains(path, 'ada-SECRET')).toBe(0)
  expect(remains(path, 'bob-SECRET')).toBeGreaterThan(100)
})

test('a writer does not wait while the file is rewritten: the rewrite is aborted and done later', async () => {
  const path = newPath()
  const db = await opened(path)
  for (const user of ['ada', 'bob']) await addUser(db.auth, 'sqlite', user)
  await live(db, ['ada', 'bob'], 8)
  // Enough rows that rewriting the file takes a while.
  await db.write((tx) =>
    tx
      .updateTable('pictures')
      .set({ webp: 'x'.repeat(50_000_000) })
      .execute(),
  )
  const kill = vi.spyOn(ChildProcess.prototype, 'kill')
  onTestFinished(() => void vi.restoreAllMocks())
  await db.erase((tx) => tx.deleteFrom('user').where('id', '=', 'ada').execute())
  await vi.waitFor(() => expect(isLocked(path)).toBe(true), { timeout: 300_000, interval: 5 })
  await db.write((tx) => tx.updateTable('user').set({ name: 'Robert' }).execute())
  expect(kill).toHaveBeenCalledWith('SIGKILL')
  expect(markOf(path)).toBe(1)
  expect(await db.read.selectFrom('user').select('name').execute()).toEqual([{ name: 'Robert' }])

  await untilScrubbed(path)
  expect(remains(path, 'ada-SECRET')).toBe(0)
  expect(await db.read.selectFrom('user').select('name').execute()).toEqual([{ name: 'Robert' }])
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db.read)
  expect(rows).toEqual([{ integrity_check: 'ok' }])
})

test('a scrub that was killed after rewriting the file continues with the log', async () => {
  const path = newPath()
  const db = await opened(path)
  await addUser(db.auth, 'sqlite', 'ada')
  await live(db, ['ada'], 9)
  await db.write((tx) => tx.deleteFrom('user').execute())
  const other = new DatabaseSync(path)
  other.exec('pragma wal_autocheckpoint = 0; vacuum; pragma user_version = 2')
  other.close()
  expect(remains(path, 'ada-SECRET')).toBeGreaterThan(0)
  await db.scrub()
  expect(markOf(path)).toBe(0)
  expect(remains(path, 'ada-SECRET')).toBe(0)
})

test('the next scrub removes what a killed process had erased, and a scrub with nothing to do changes nothing', async () => {
  const path = newPath()
  const db = await opened(path)
  await addUser(db.auth, 'sqlite', 'ada')
  await live(db, ['ada'], 4)
  // The state that an erasing process leaves between its commit and the scrub.
  await db.write(async (tx) => {
    await sql`pragma user_version = 1`.execute(tx)
    await tx.deleteFrom('user').execute()
  })
  expect(remains(path, 'ada-SECRET')).toBeGreaterThan(0)

  const next = await opened(path)
  await next.scrub()
  expect(remains(path, 'ada-SECRET')).toBe(0)
  const { mtimeMs, size } = statSync(path)
  await next.scrub()
  expect(statSync(path)).toMatchObject({ mtimeMs, size })
})

test('readers are not held up by a scrub that may not be postponed, and writers queue', async () => {
  const path = newPath()
  const db = await opened(path)
  for (const user of ['ada', 'bob']) await addUser(db.auth, 'sqlite', user)
  await live(db, ['ada', 'bob'], 5)
  const order: string[] = []
  const note = (what: string) => () => void order.push(what)
  await db.erase((tx) => tx.deleteFrom('user').where('id', '=', 'ada').execute())
  await Promise.all([
    db.scrub().then(note('scrubbed')),
    db.read.selectFrom('todos').select('id').execute().then(note('read')),
    db.write((tx) => tx.updateTable('user').set({ name: 'Robert' }).execute()).then(note('written')),
  ])
  expect(order.toSorted()).toEqual(['read', 'scrubbed', 'written'])
  expect(order[0]).toBe('read')
  expect(await db.read.selectFrom('user').select('name').execute()).toEqual([{ name: 'Robert' }])
})

test('erasing succeeds while another program reads the file, and the next scrub removes what is left', async () => {
  const path = newPath()
  const db = await opened(path)
  await addUser(db.auth, 'sqlite', 'ada')
  await live(db, ['ada'], 6)
  const other = new DatabaseSync(path, { readOnly: true })
  onTestFinished(() => other.close())
  other.exec('begin')
  other.prepare('select count(*) from todos').get()

  await db.erase((tx) => tx.deleteFrom('user').execute())
  await expect(db.scrub()).rejects.toThrow()
  expect(await db.read.selectFrom('user').select('id').execute()).toEqual([])

  other.exec('commit')
  await db.scrub()
  expect(remains(path, 'ada-SECRET')).toBe(0)
})
