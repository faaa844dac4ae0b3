import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { Change } from '../changes.ts'
import { compiledOnce } from '../compiled-once.ts'
import { openDatabase } from '../opening/open-database.ts'
import { addUser } from '../testing/add-user.ts'
import { describePostgresUrl } from '../testing/engines.ts'
import { countingProxy } from '../testing/postgres/counting-proxy.ts'
import { tablesLock } from './fence.ts'

const stored = compiledOnce<{ user: string; revision: string }>()((db, param) =>
  db
    .insertInto('revisions')
    .values({ user_id: param('user'), revision: param('revision') })
    .returningAll(),
)
const all = compiledOnce()((db) => db.selectFrom('revisions').selectAll())

describePostgresUrl('a transaction', (emptyUrl) => {
  async function openCounted() {
    const proxy = await countingProxy(await emptyUrl())
    onTestFinished(() => proxy.close())
    const database = await openDatabase(proxy.url)
    onTestFinished(() => database.close())
    await addUser(database.auth, 'postgres', 'ada')
    return { proxy, database }
  }

  test('that asks for nothing sends nothing, whether it succeeds or throws', async () => {
    const { proxy, database } = await openCounted()
    const trips = await proxy.during(async () => {
      expect(await database.write(async () => 'done')).toBe('done')
      const refusing = database.write(async () => {
        throw new Error('refused')
      })
      await expect(refusing).rejects.toThrow('refused')
    })
    // Meanwhile the program may also look whether the tables are still its own.
    const ofWatch = /^commit$| read only$|^\s*select .*(advisory|kysely_migration)/
    expect(trips.flat().filter((statement) => !ofWatch.test(statement))).toEqual([])
  })

  test('that writes outside of a write takes one round trip, and is checked and committed in it', async () => {
    const { proxy, database } = await openCounted()
    await addUser(database.auth, 'postgres', 'eve')
    const trips = await proxy.during(() => addUser(database.auth, 'postgres', 'joe'))
    const [first = []] = trips.filter((statements) => statements.some((text) => text.includes('insert')))
    expect(first.map((statement) => statement.replace(/^(\S+ \S+).*/s, '$1'))).toEqual([
      'begin isolation',
      'insert into',
      'execute daymark_lock;',
    ])
  })

  test('that is refused while another process changes the tables is accepted on the same connection afterwards', async () => {
    const url = await emptyUrl()
    const other = await openDatabase(url)
    onTestFinished(() => other.close())
    await addUser(other.auth, 'postgres', 'ada')
    const database = await openDatabase(url, undefined, { poolSize: 1 })
    onTestFinished(() => database.close())
    const write = () => database.writeFor('ada', [], async () => {})
    await other.write(async (tx) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(tablesLock)})`.execute(tx)
      await expect(write()).rejects.toThrow('updating')
    })
    await write()
    expect(await database.read.selectFrom('revisions').select('user_id').execute()).toEqual([
      { user_id: 'ada' },
    ])
  })

  test('goes on with what it has prepared after a newer program has added a column', async () => {
    const { database } = await openCounted()
    const renew = (revision: string) =>
      database.write(async (tx) => {
        await tx.deleteFrom('revisions').execute()
        return [...(await stored(tx, { user: 'ada', revision })), ...(await all(tx, {}))]
      })
    for (const revision of ['one', 'two', 'three']) await renew(revision)
    await sql`alter table revisions add column mood text default 'good'`.execute(database.auth)
    const four = { user_id: 'ada', revision: 'four' }
    expect(await renew('four')).toEqual([four, four])
  })

  test('gives its user a revision even if theirs has gone, and then says that anything may have changed', async () => {
    const { database } = await openCounted()
    const told: (Change | undefined)[] = []
    const write = () => database.writeFor('ada', ['todos'], async () => {})
    const revisions = () => database.read.selectFrom('revisions').select('revision').execute()
    await write()
    await database.write((tx) => tx.deleteFrom('revisions').execute())
    onTestFinished(database.changes.listen('ada', (change) => told.push(change)))
    // From here on, nothing is told but what is written.
    await expect.poll(() => told.length).toBe(1)
    await write()
    expect(told).toEqual([undefined, undefined])
    const [gone] = await revisions()
    await write()
    expect(told.at(-1)).toMatchObject({ before: gone?.revision })
    expect(await revisions()).toEqual([{ revision: told.at(-1)?.revision }])
  })
})
