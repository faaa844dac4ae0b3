import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../database.ts'
import { migrations } from '../migrations/migrations.ts'
import { openDatabase } from '../opening/open-database.ts'
import { isPassingFailure } from '../storage/passing-failure.ts'
import { addUser } from '../testing/add-user.ts'
import { describePostgresUrl } from '../testing/engines.ts'
import { PostgresQueue } from './queue.ts'

async function openUntilEnd(url: string, poolSize: number): Promise<Database> {
  // How long a turn takes on a busy machine must not decide.
  const database = await openDatabase(url, migrations, { poolSize, responseTimeout: 300_000 })
  onTestFinished(() => database.close())
  return database
}

function openPool(connectionString: string, max: number): pg.Pool {
  return new pg.Pool({ connectionString, max })
}

function queueUntilEnd(url: string, size: number, patience: number): PostgresQueue {
  const queue = new PostgresQueue(openPool(url, size), patience)
  onTestFinished(() => queue.end())
  return queue
}

describePostgresUrl('requests for more connections than there are', (emptyUrl) => {
  test('are served one after another, in order of arrival', async () => {
    const database = await openUntilEnd(await emptyUrl(), 1)
    const answered: number[] = []
    const requests = [...Array(50).keys()]
    await Promise.all(
      requests.map(async (number) => {
        await sql`select pg_sleep(0.001)`.execute(database.read)
        answered.push(number)
      }),
    )
    expect(answered).toEqual(requests)
  })

  test('are served even if one connection has to do for reads, look-ups and writes at once', async () => {
    const database = await openUntilEnd(await emptyUrl(), 1)
    await addUser(database.auth, 'postgres', 'ada')
    const lookUp = database.lookUp(
      (db, isKey) => db.selectFrom('user').select('id as key').where(isKey('id')).compile(),
      ({ key }) => key,
    )
    const users = (db: Pick<Database['read'], 'selectFrom'>) => db.selectFrom('user').select('id').execute()
    const works = Array.from({ length: 10 }, () => [
      lookUp('ada'),
      users(database.read),
      database.snapshot((tx) => users(tx)),
      database.writeFor('ada', ['todos'], (tx) => users(tx)),
      database.ping(),
    ])
    const done = await Promise.allSettled(works.flat())
    expect(done.filter(({ status }) => status === 'rejected')).toEqual([])
  })

  test('get none on which a statement turned out to be prepared as another one', async () => {
    const queue = queueUntilEnd(await emptyUrl(), 1, 10_000)
    await queue.query({ text: 'prepare taken as select 1' })
    const look = () => queue.query({ name: 'taken', text: 'select 2 as found' })
    await expect(look()).rejects.toThrow(/taken/)
    expect((await look()).rows).toEqual([{ found: 2 }])
  })

  test('wait if the server provides fewer connections than the pool asks for', async () => {
    const url = await emptyUrl()
    const limited = await limitedTo(3, url)
    const database = await openUntilEnd(limited, 10)
    const requests = Array.from({ length: 60 }, () => sql`select pg_sleep(0.01)`.execute(database.read))
    const done = await Promise.allSettled(requests)
    expect(done.filter(({ status }) => status === 'rejected')).toEqual([])
  })

  test('give up after their timeout with an error that can be retried, and hold up nobody behind them', async () => {
    const queue = queueUntilEnd(await emptyUrl(), 1, 50)
    const client = await queue.connect()
    const tooLate = await queue.connect().catch((error) => error)
    expect(tooLate).toBeInstanceOf(Error)
    expect(isPassingFailure(tooLate)).toBe(true)
    client.release()
    expect((await queue.query({ text: 'select 1 as one' })).rows).toEqual([{ one: 1 }])
  })

  test('are rejected when the queue closes, which waits for the one that is under way', async () => {
    const queue = new PostgresQueue(openPool(await emptyUrl(), 1), 60_000)
    const underWay = queue.query({ text: 'select pg_sleep(0.05), 1 as one' })
    const waiting = queue.connect()
    const ending = queue.end()
    await expect(waiting).rejects.toThrow('The database is closed')
    expect((await underWay).rows).toMatchObject([{ one: 1 }])
    await ending
    await expect(queue.connect()).rejects.toThrow('The database is closed')
  })

  test('a query that fails, or a connection that cannot be opened, lets the next one proceed', async () => {
    const url = await emptyUrl()
    const queue = queueUntilEnd(url, 1, 60_000)
    for (let times = 0; times < 3; times += 1) {
      await expect(queue.query({ text: 'select nothing' })).rejects.toThrow('nothing')
    }
    const nowhere = queueUntilEnd('postgres://daymark@127.0.0.1:1/daymark', 1, 60_000)
    for (let times = 0; times < 3; times += 1) await expect(nowhere.connect()).rejects.toThrow('ECONNREFUSED')
  })
})

/** The address for a user who may open only so many connections; the tests' own user may open any number. */
async function limitedTo(connections: number, url: string): Promise<string> {
  const name = `limited_${crypto.randomUUID().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { username, pathname } = new URL(url)
  await client.query(`create role ${name} login connection limit ${connections}`)
  await client.query(`alter database ${pathname.slice(1)} owner to ${name}`)
  onTestFinished(async () => {
    await client.query(`reassign owned by ${name} to ${username}; drop owned by ${name}; drop role ${name}`)
    await client.end()
  })
  const limited = new URL(url)
  limited.username = name
  return limited.href
}
