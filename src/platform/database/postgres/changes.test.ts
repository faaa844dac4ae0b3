import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { Change } from '../changes.ts'
import type { Database } from '../database.ts'
import { openDatabase } from '../opening/open-database.ts'
import { addUser } from '../testing/add-user.ts'
import { describePostgresUrl } from '../testing/engines.ts'
import { freezingProxy } from '../testing/postgres/freezing-proxy.ts'

const look = undefined

async function openUntilEnd(url: string): Promise<Database> {
  const database = await openDatabase(url)
  onTestFinished(() => database.close())
  return database
}

/** What is received about Ada, starting when nothing can be missed any more. */
async function listenTo(database: Database): Promise<(Change | undefined)[]> {
  const received: (Change | undefined)[] = []
  database.changes.listen('ada', (change) => received.push(change))
  await expect.poll(() => received).toEqual([look])
  received.length = 0
  return received
}

const change = (database: Database, collections: string[], user = 'ada') =>
  database.writeFor(user, collections, async () => {})

describePostgresUrl('the changes of several processes', (emptyUrl) => {
  async function openTwo() {
    const url = await emptyUrl()
    const here = await openUntilEnd(url)
    const there = await openUntilEnd(url)
    for (const user of ['ada', 'eve']) await addUser(here.auth, 'postgres', user)
    return { url, here, there }
  }

  test('a write in one process is reported to the others, in order, and once to itself', async () => {
    const { here, there } = await openTwo()
    const receivedByItself = await listenTo(here)
    const received = await listenTo(there)
    await change(here, ['todos'])
    await change(here, ['habits', 'focus'])
    await change(here, ['todos'], 'eve')
    await change(here, [])
    await expect.poll(() => received.length).toBe(3)
    expect(received.map((each) => each?.collections)).toEqual([['todos'], ['habits', 'focus'], []])
    // To itself, with how many rows it was.
    expect(receivedByItself).toMatchObject(received)
    const { revision } = await there.read
      .selectFrom('revisions')
      .select('revision')
      .where('user_id', '=', 'ada')
      .executeTakeFirstOrThrow()
    expect(received.at(-1)?.revision).toBe(revision)
  })

  test('each change names the one before it, from the first on, however many are made at once', async () => {
    const { here, there } = await openTwo()
    const received = await listenTo(there)
    await Promise.all([...Array(20).keys()].map((number) => change(number % 2 ? here : there, [])))
    await expect.poll(() => received.length).toBe(20)
    const next = new Map(received.map((each) => [each?.before, each?.revision]))
    const chain: (string | undefined)[] = []
    for (let last = next.get(''); last !== undefined; last = next.get(last)) chain.push(last)
    expect(chain.length).toBe(20)
  })

  test('a burst larger than one notification arrives whole', async () => {
    const { here, there } = await openTwo()
    const received = await listenTo(there)
    for (let number = 0; number < 500; number += 1) {
      here.changes.notify('ada', { revision: `${number} ${'x'.repeat(100)}`, collections: ['todos'] })
    }
    await expect.poll(() => received.length).toBe(500)
    expect(received.map((each) => Number.parseInt(each?.revision ?? '', 10))).toEqual([...received.keys()])
  })

  test('a message without a change is passed on too', async () => {
    const { here, there } = await openTwo()
    const received = await listenTo(there)
    here.changes.notify('ada')
    await expect.poll(() => received).toEqual([look])
  })

  test('a message lost on the way makes every listener in every process look again', async () => {
    const { url, there } = await openTwo()
    const received = await listenTo(there)
    const proxy = await freezingProxy(url)
    const away = await openUntilEnd(proxy.url)
    await listenTo(away)
    proxy.cut()
    away.changes.notify('ada', { revision: 'lost', collections: ['todos'] })
    await expect.poll(() => received).toEqual([look])
    proxy.close()
  })

  test('more messages than can be queued make every listener look again, though the connection holds', async () => {
    const { here, there } = await openTwo()
    await listenTo(here)
    const received = await listenTo(there)
    for (let number = 0; number < 1_500; number += 1) {
      here.changes.notify('ada', { revision: `${number}`, collections: ['todos'] })
    }
    await expect.poll(() => received).toEqual([look])
    await change(here, ['habits'])
    await expect.poll(() => received.at(-1)?.collections).toEqual(['habits'])
  })

  test('a message that the server refuses makes every listener look again, though the connection holds', async () => {
    const { here, there } = await openTwo()
    await listenTo(here)
    const received = await listenTo(there)
    here.changes.notify('ada', { revision: 'x'.repeat(9_000), collections: ['todos'] })
    await expect.poll(() => received).toEqual([look])
  })

  test('listeners are told to look again after the connection broke, and then receive messages again', async () => {
    const { here, there } = await openTwo()
    const received = await listenTo(there)
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen%'
    `.execute(here.read)
    await expect.poll(() => received).toEqual([look])
    await change(here, ['todos'])
    await expect.poll(() => received.at(-1)?.collections).toEqual(['todos'])
  })

  test('a connection that breaks repeatedly is reopened less and less often', async () => {
    const { here, there } = await openTwo()
    await listenTo(there)
    const opened = new Set<number>()
    for (const until = Date.now() + 2_000; Date.now() < until; await pause(20)) {
      const { rows } = await sql<{ pid: number }>`
        select pid, pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like 'listen%'
      `.execute(here.read)
      for (const { pid } of rows) opened.add(pid)
    }
    // After 100, 200, 400 and 800 milliseconds, each reduced by up to half.
    expect(opened.size).toBeGreaterThan(2)
    expect(opened.size).toBeLessThan(8)
  })

  test('a foreign message in the channel does no harm', async () => {
    const { here, there } = await openTwo()
    const received = await listenTo(there)
    for (const text of ['', 'nonsense', '[]', '[1,2]', '["x",[["ada",1]]]']) {
      await sql`select pg_notify('daymark_changes', ${text})`.execute(here.read)
    }
    await change(here, ['todos'])
    await expect.poll(() => received.map((each) => each?.collections)).toEqual([['todos']])
  })
})
