import { type Kysely, sql, type Transaction } from 'kysely'
import { expect, test } from 'vitest'
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
