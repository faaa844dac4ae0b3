import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../database.ts'
import { migrations } from '../migrations/migrations.ts'
import { type Opening, openDatabase } from '../opening/open-database.ts'
import { addUser } from '../testing/add-user.ts'
import { describePostgresUrl } from '../testing/engines.ts'
import { hasPgBouncer, startPgBouncer } from '../testing/postgres/pgbouncer.ts'
import { transactionPooler } from '../testing/postgres/transaction-pooler.ts'

async function openUntilEnd(url: string, opening: Opening = {}): Promise<Database> {
  const database = await openDatabase(url, migrations, opening)
  onTestFinished(() => database.close())
  return database
}

/** Like the look-up that nearly every request makes. */
const userLookUp = (database: Database) =>
  database.lookUp(
    (db, isKey) => db.selectFrom('user').select('id as key').select('name').where(isKey('id')).compile(),
    ({ name }) => name,
  )

type Pooler = (url: string, mode: 'transaction' | 'session') => Promise<string>

const poolers: [string, boolean, Pooler][] = [
  [
    'a pooler of the tests',
    true,
    async (url, mode) => {
      const pooler = await transactionPooler(url, { sessionMode: mode === 'session', sessions: 12 })
      onTestFinished(() => pooler.close())
      return pooler.url
    },
  ],
  [
    hasPgBouncer ? 'PgBouncer' : 'PgBouncer, which this machine does not have',
    hasPgBouncer,
    async (url, mode) => {
      const pooler = await startPgBouncer(url, mode, 'default_pool_size = 12')
      onTestFinished(() => pooler.close())
      return pooler.url
    },
  ],
]

for (const [name, isThere, start] of poolers) {
  // PgBouncer is missing, not PostgreSQL: a run may fail only for lack of the latter.
  if (!isThere) {
    test.todo(`behind ${name}`)
    continue
  }
  describePostgresUrl(`behind ${name}`, (emptyUrl) => {
    test('in transaction mode, the server does not start, and says what to set', async () => {
      const url = await start(await emptyUrl(), 'transaction')
      await expect(openDatabase(url)).rejects.toThrow(
        "DATABASE_URL leads to a pooler in transaction mode, through which devices cannot hear of each other's changes; set DATABASE_DIRECT_URL to the address of the database itself",
      )
    })

    test('in transaction mode, everything works with a direct address, and processes notify each other', async () => {
      const directUrl = await emptyUrl()
      const url = await start(directUrl, 'transaction')
      const here = await openUntilEnd(url, { directUrl })
      const there = await openUntilEnd(url, { directUrl, poolSize: 3 })
      const users = Array.from({ length: 20 }, (_, number) => `user-${number}`)
      for (const user of users) await addUser(here.auth, 'postgres', user)
      const received = users.map((user) => {
        const changes: unknown[] = []
        there.changes.listen(user, (change) => changes.push(change?.collections))
        return changes
      })
      // From here on nothing can be missed.
      await expect.poll(() => received).toEqual(users.map(() => [undefined]))
      const lookUps = [userLookUp(here), userLookUp(there)]
      const names = await Promise.all(
        Array.from({ length: 500 }, async (_, number) => {
          // Each in its own turn of the event loop, so that each is looked up separately.
          await new Promise((resolve) => setTimeout(resolve, number % 50))
          const user = users[number % 20] ?? ''
          if (number % 10 === 0) await here.writeFor(user, ['todos'], async () => {})
          return lookUps[number % 2]?.(user)
        }),
      )
      expect(names.filter((found) => found === undefined)).toEqual([])
      const changed = users.map((_, number) => (number % 10 === 0 ? 25 : 0))
      await expect
        .poll(() => received.map((changes) => changes.slice(1)))
        .toEqual(changed.map((times) => Array(times).fill(['todos'])))
    })

    test('in session mode, the server starts without a direct address, and is notified', async () => {
      const url = await start(await emptyUrl(), 'session')
      const here = await openUntilEnd(url, { poolSize: 3 })
      const there = await openUntilEnd(url, { poolSize: 3 })
      await addUser(here.auth, 'postgres', 'ada')
      const received: unknown[] = []
      there.changes.listen('ada', (change) => received.push(change?.collections))
      await expect.poll(() => received).toEqual([undefined])
      await here.writeFor('ada', ['todos'], async () => {})
      await expect.poll(() => received.slice(1)).toEqual([['todos']])
      expect(await userLookUp(there)('ada')).toBeDefined()
    })
  })
}

describePostgresUrl('a direct address', (emptyUrl) => {
  test('leading to another database is refused, and that one is not touched', async () => {
    const directUrl = await emptyUrl()
    await expect(openDatabase(await emptyUrl(), migrations, { directUrl })).rejects.toThrow(
      'DATABASE_DIRECT_URL leads to another database than DATABASE_URL',
    )
    const client = new pg.Client({ connectionString: directUrl })
    await client.connect()
    const { rows } = await client.query("select from pg_tables where schemaname = 'public'")
    await client.end()
    expect(rows).toEqual([])
  })

  test('leading to the pooler itself is refused', async () => {
    const pooler = await transactionPooler(await emptyUrl())
    onTestFinished(() => pooler.close())
    await expect(openDatabase(pooler.url, migrations, { directUrl: pooler.url })).rejects.toThrow(
      'DATABASE_DIRECT_URL leads to a pooler in transaction mode too, and not past it',
    )
  })

  test('leading nowhere is refused by name, without its password', async () => {
    const directUrl = 'postgres://daymark:hunter2@127.0.0.1:1/daymark'
    const refused = openDatabase(await emptyUrl(), migrations, { directUrl })
    await expect(refused).rejects.toThrow(/^DATABASE_DIRECT_URL leads to no database that can be used: /)
    await expect(refused).rejects.not.toThrow('hunter2')
  })
})
