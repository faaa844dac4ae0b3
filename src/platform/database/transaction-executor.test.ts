import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from './opening/open-database.ts'
import type { Tables } from './tables.ts'
import { addUser } from './testing/add-user.ts'
import { describeEachEngine } from './testing/engines.ts'
import { sendAlong } from './transaction-executor.ts'

describeEachEngine('a statement that a write does not wait for', (openEmpty, engine) => {
  async function openWithAda() {
    const db = await openEmpty()
    await addUser(db.auth, engine, 'ada')
    return db
  }
  const storeRevision = (tx: Transaction<Tables>, revision: string) =>
    tx.insertInto('revisions').values({ user_id: 'ada', revision }).execute()
  const revisions = (db: Kysely<Tables>) => db.selectFrom('revisions').select('revision').execute()

  test('is stored with the write, even if it is the last of it', async () => {
    const db = await openWithAda()
    await db.write((tx) => sendAlong(tx, storeRevision(tx, 'one')))
    expect(await revisions(db.read)).toEqual([{ revision: 'one' }])
  })

  test('fails the whole write, which then says why', async () => {
    const db = await openWithAda()
    await storeTwice()
    await storeTwice(async (tx) => void (await revisions(tx)))
    expect(await revisions(db.read)).toEqual([])
    await db.write((tx) => storeRevision(tx, 'after'))
    expect(await revisions(db.read)).toEqual([{ revision: 'after' }])

    async function storeTwice(afterwards?: (tx: Transaction<Tables>) => Promise<void>) {
      const write = db.writeFor('ada', [], async (tx) => {
        await storeRevision(tx, 'one')
        await sendAlong(tx, storeRevision(tx, 'another'))
        await afterwards?.(tx)
      })
      await expect(write).rejects.toThrow(/unique/i)
    }
  })

  test('is told of as the cause, however many went on before it was answered', async () => {
    const db = await openWithAda()
    const write = db.write(async (tx) => {
      await storeRevision(tx, 'one')
      await sendAlong(tx, storeRevision(tx, 'another'))
      for (let more = 0; more < 40; more++) await sendAlong(tx, revisions(tx)).catch(() => {})
      await revisions(tx).catch(() => {})
      throw new Error('what followed')
    })
    await expect(write).rejects.toThrow(/unique/i)
    expect(await revisions(db.read)).toEqual([])
  })

  test('fails the write without being heard of before, however long the write goes on', async () => {
    const db = await openWithAda()
    const unheard: unknown[] = []
    const hear = (reason: unknown) => unheard.push(reason)
    process.on('unhandledRejection', hear)
    onTestFinished(() => void process.off('unhandledRejection', hear))
    const write = db.write(async (tx) => {
      await storeRevision(tx, 'one')
      await sendAlong(tx, storeRevision(tx, 'another'))
      await pause(50)
    })
    await expect(write).rejects.toThrow(/unique/i)
    expect(unheard).toEqual([])
  })

  test('fails the write even if only our own code finds out', async () => {
    const db = await openWithAda()
    const found = (tx: Transaction<Tables>) =>
      revisions(tx).then(() => Promise.reject(new Error('found out')))
    await expect(db.write((tx) => sendAlong(tx, found(tx)))).rejects.toThrow('found out')
  })

  test('never reaches a later write', async () => {
    const db = await openWithAda()
    const late = Promise.withResolvers<void>()
    const write = db.write(async (tx) => {
      const other = late.promise.then(() => storeRevision(tx, 'late'))
      await Promise.all([other, sql`select no_such_column from revisions`.execute(tx)])
    })
    await expect(write).rejects.toThrow(/no_such_column/)
    late.resolve()
    await db.write(async (tx) => void (await revisions(tx)))
    expect(await revisions(db.read)).toEqual([])
  })
})

test('A statement of a write that SQLite has rolled back by itself stores nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-executor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const db = await openDatabase(`sqlite:${join(folder, 'daymark.db')}`)
  onTestFinished(() => db.close())
  await addUser(db.auth, 'sqlite', 'ada')
  const store = (tx: Transaction<Tables>, revision: string) =>
    tx.insertInto('revisions').values({ user_id: 'ada', revision }).execute()
  const outcomes: PromiseSettledResult<unknown>[] = []
  const write = db.write(async (tx) => {
    // What SQLite does by itself after some failures of the disk.
    const failing = sql`rollback`.execute(tx).then(() => Promise.reject(new Error('disk I/O error')))
    outcomes.push(...(await Promise.allSettled([failing, store(tx, 'alone')])))
    await sendAlong(tx, store(tx, 'along'))
  })
  await expect(write).rejects.toThrow('rolled back')
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await db.read.selectFrom('revisions').selectAll().execute()).toEqual([])
  await db.write((tx) => store(tx, 'after'))
  expect(await db.read.selectFrom('revisions').select('revision').execute()).toEqual([{ revision: 'after' }])
})
