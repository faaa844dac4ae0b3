import { closeSync, copyFileSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { waitFor, waitUntil } from '#testing/wait.ts'
import { type Database, openDatabase } from './database.ts'
import { migrations } from './migrations/migrations.ts'
import { isPassingFailure } from './passing-failure.ts'
import { KnownStorage, type StorageChange } from './storage.ts'
import { StorageFailure, type StorageProblem } from './storage-problem.ts'
import { addUser } from './testing/add-user.ts'
import { describeEachEngine, describePostgresUrl } from './testing/engines.ts'
import { newPath, users } from './testing/sqlite-file.ts'

async function open(path = newPath()): Promise<Database> {
  const database = await openDatabase(`sqlite:${path}`)
  onTestFinished(() => database.close())
  return database
}

/** What an operator is told, in order. */
function toldBy({ storage }: Pick<Database, 'storage'>): string[] {
  const told: string[] = []
  storage.listen((change) => told.push('seconds' in change ? `${change.problem} is over` : change.problem))
  return told
}

async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    return error
  }
  throw new Error('It did not fail')
}

let count = 0
function write(database: Database, name = 'somebody'): Promise<unknown> {
  count += 1
  const row = { id: `user-${count}`, name, email: `${count}@example.org`, emailVerified: 0 }
  const at = new Date(0).toISOString()
  return database.write((tx) =>
    sql`insert into "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt") values (${row.id}, ${row.name}, ${row.email}, ${row.emailVerified}, ${at}, ${at})`.execute(
      tx,
    ),
  )
}

const numberOfUsers = async ({ read }: Database) =>
  (await read.selectFrom('user').select('id').execute()).length

/** It looks again by itself. */
const storesAgain = ({ storage }: Database) => waitUntil(() => storage.problem() === undefined)

describe('a file that nothing can be stored in', () => {
  test('is known to be full once a write fails for it, is read on, and takes writes again when there is room', async () => {
    const database = await open()
    const told = toldBy(database)
    await write(database)
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database.auth)
    await sql`pragma max_page_count = ${sql.lit(Number(rows[0]?.page_count) + 1)}`.execute(database.auth)
    const failures = [
      await failureOf(() => write(database, 'long '.repeat(10_000))),
      await failureOf(() => write(database, 'long '.repeat(10_000))),
    ]
    expect(failures.map(isPassingFailure)).toEqual([true, true])
    expect(database.storage.problem()).toBe('full')
    expect(await numberOfUsers(database)).toBe(1)

    await sql`pragma max_page_count = 1000000`.execute(database.auth)
    await storesAgain(database)
    await write(database, 'long '.repeat(10_000))
    expect(await numberOfUsers(database)).toBe(2)
    expect(told).toEqual(['full', 'full is over'])
  })

  test('is known to be read-only before anybody writes, and by statements that are not of ours', async () => {
    const database = await open()
    const told = toldBy(database)
    await sql`pragma query_only = on`.execute(database.auth)
    await database.storage.probe()
    expect(database.storage.problem()).toBe('read-only')
    await sql`pragma query_only = off`.execute(database.auth)
    await storesAgain(database)

    await sql`pragma query_only = on`.execute(database.auth)
    await failureOf(() => addUser(database.auth, 'sqlite', 'ada'))
    expect(database.storage.problem()).toBe('read-only')
    expect(told, 'told once, though it came back').toEqual(['read-only', 'read-only is over'])
  })

  test('is not taken for read-only since a reader cannot write', async () => {
    const database = await open()
    await failureOf(() => addUser(database.read, 'sqlite', 'ada'))
    expect(database.storage.problem()).toBe(undefined)
  })
})

describe('while another program holds the file', () => {
  async function openHeld() {
    const path = newPath()
    const database = await open(path)
    const other = new DatabaseSync(path)
    onTestFinished(() => other.close())
    other.exec('begin immediate')
    return { database, other }
  }

  test('reads are answered, and writes are done once it lets go', async () => {
    const { database, other } = await openHeld()
    let done = 0
    const writes = [write(database), write(database), addUser(database.auth, 'sqlite', 'ada')]
    for (const each of writes) void each.then(() => (done += 1))
    for (let read = 0; read < 10; read++) expect(await numberOfUsers(database)).toBe(0)
    expect(done).toBe(0)
    other.exec('rollback')
    await Promise.all(writes)
    expect(await numberOfUsers(database)).toBe(3)
    expect(database.storage.problem()).toBe(undefined)
  })

  test('for too long, writes are told to come again, and taken when it lets go', async () => {
    const { database, other } = await openHeld()
    const told = toldBy(database)
    expect(isPassingFailure(await failureOf(() => write(database)))).toBe(true)
    expect(database.storage.problem()).toBe('locked')
    expect(await numberOfUsers(database)).toBe(0)
    other.exec('rollback')
    await storesAgain(database)
    await write(database)
    expect(told).toEqual(['locked', 'locked is over'])
  })
})

describe('a file that is replaced or removed while it is open', () => {
  const ways: [string, (path: string) => void][] = [
    ['replaced', (path) => copyFileSync(`${path}.away`, path)],
    ['removed', () => {}],
  ]
  test.each(ways)('takes no more writes when %s: none is acknowledged and lost', async (_way, replace) => {
    const path = newPath()
    const database = await open(path)
    const told = toldBy(database)
    await write(database)
    renameSync(path, `${path}.away`)
    replace(path)
    const tries = [
      ...Array.from({ length: 10 }, () => () => write(database)),
      () => addUser(database.auth, 'sqlite', 'ada'),
      () => database.auth.transaction().execute((tx) => addUser(tx, 'sqlite', 'bob')),
    ]
    for (const each of tries) {
      const failure = await failureOf(each)
      expect(failure).toMatchObject({ problem: 'replaced' })
      expect(isPassingFailure(failure)).toBe(true)
    }
    expect(database.storage.problem()).toBe('replaced')
    expect(await numberOfUsers(database)).toBe(1)
    expect(told).toEqual(['replaced'])

    rmSync(path, { force: true })
    renameSync(`${path}.away`, path)
    await storesAgain(database)
    await write(database)
    expect(await numberOfUsers(database)).toBe(2)
  })

  test('in the very moment of a write: that one is not acknowledged either', async () => {
    const path = newPath()
    const database = await open(path)
    const writing = database.write(async (tx) => {
      await addUser(tx, 'sqlite', 'ada')
      renameSync(path, `${path}.away`)
    })
    await expect(writing).rejects.toMatchObject({ problem: 'replaced' })
  })
})

describe('a damaged file', () => {
  async function damaged(): Promise<string> {
    const path = newPath()
    const database = await openDatabase(`sqlite:${path}`)
    await write(database)
    const { rows } = await sql<{
      rootpage: number
    }>`select rootpage from sqlite_master where name = 'todos'`.execute(database.read)
    const page = await sql<{ page_size: number }>`pragma page_size`.execute(database.read)
    await database.close()
    const size = Number(page.rows[0]?.page_size)
    const file = openSync(path, 'r+')
    writeSync(file, Buffer.alloc(size, 'x'), 0, size, (Number(rows[0]?.rootpage) - 1) * size)
    closeSync(file)
    return path
  }

  test('takes no more writes once the damage is met, and the rest of it is read on', async () => {
    const path = await damaged()
    const database = await open(path)
    const told = toldBy(database)
    await write(database)
    const reading = () => database.read.selectFrom('todos').selectAll().execute()
    expect(isPassingFailure(await failureOf(reading))).toBe(true)
    expect(database.storage.problem()).toBe('corrupt')
    for (const writing of [() => write(database), () => addUser(database.auth, 'sqlite', 'ada')])
      expect(await failureOf(writing)).toMatchObject({ problem: 'corrupt' })
    expect(await numberOfUsers(database)).toBe(2)
    expect(told).toEqual(['corrupt'])
    await database.close()
    expect(await users(path, migrations)).toHaveLength(2)
  })
})

describeEachEngine('a database that works', (openEmpty) => {
  test('is found to store, by writing what changes nothing', async () => {
    const database = await openEmpty()
    const told = toldBy(database)
    await database.storage.probe()
    await write(database)
    expect([database.storage.problem(), ...told]).toEqual([undefined])
  })
})

describePostgresUrl('a PostgreSQL that became read-only, as a standby is', (emptyUrl) => {
  test('is known as such, is read on, and takes writes again', async () => {
    const url = await emptyUrl()
    const database = await openDatabase(url)
    onTestFinished(() => database.close())
    const told = toldBy(database)
    const name = new URL(url).pathname.slice(1)
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    onTestFinished(() => admin.end())
    const alter = async (words: string) => {
      await admin.query(`alter database ${name} ${words}`)
      await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
    }
    await alter('set default_transaction_read_only = on')
    await waitUntil(async () => {
      await write(database).catch(() => {})
      return database.storage.problem() !== undefined
    })
    expect(database.storage.problem()).toBe('read-only')
    expect(await numberOfUsers(database)).toBe(0)
    await alter('reset default_transaction_read_only')
    await storesAgain(database)
    await waitFor(() => write(database))
    expect(told).toEqual(['read-only', 'read-only is over'])
  })
})

describe('what is known of the storage', () => {
  function known() {
    vi.useFakeTimers()
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const disk: { problem: StorageProblem | undefined; free: number | undefined; tried: number } = {
      problem: undefined,
      free: undefined,
      tried: 0,
    }
    const storage = new KnownStorage({
      async tryStoring() {
        disk.tried += 1
        if (disk.problem) throw new StorageFailure(disk.problem)
      },
      freeBytes: () => disk.free,
      now: () => Date.now(),
    })
    onTestFinished(() => storage.stop())
    const told: StorageChange[] = []
    storage.listen((change) => told.push(change))
    const breakFor = async (problem: StorageProblem, milliseconds: number) => {
      disk.problem = problem
      storage.failed(new StorageFailure(problem))
      await vi.advanceTimersByTimeAsync(milliseconds)
      disk.problem = undefined
      await vi.advanceTimersByTimeAsync(2_000)
    }
    return { disk, storage, told, breakFor }
  }

  test('however often health is asked, it is tried at most every five seconds, and not while there are writes', async () => {
    const { disk, storage } = known()
    for (let asked = 0; asked < 100; asked++) await storage.probe()
    expect(disk.tried).toBe(1)
    await vi.advanceTimersByTimeAsync(4_000)
    storage.stored()
    await vi.advanceTimersByTimeAsync(4_000)
    await storage.probe()
    expect(disk.tried).toBe(1)
    await vi.advanceTimersByTimeAsync(1_000)
    await Promise.all([storage.probe(), storage.probe()])
    expect(disk.tried).toBe(2)
  })

  test('a disk whose room comes and goes is told of once a minute, and in the end as it is', async () => {
    const { disk, storage, told, breakFor } = known()
    await breakFor('full', 4_000)
    await breakFor('full', 4_000)
    await breakFor('full', 4_000)
    expect(told).toMatchObject([{ problem: 'full' }, { problem: 'full', seconds: 6 }])
    disk.problem = 'full'
    storage.failed(new StorageFailure('full'))
    await vi.advanceTimersByTimeAsync(70_000)
    expect(told).toHaveLength(3)
    expect(told[2]).toMatchObject({ problem: 'full', began: expect.anything() })
  })

  test('another problem is told of at once', async () => {
    const { storage, told } = known()
    storage.failed(new StorageFailure('full'))
    storage.failed(new StorageFailure('replaced'))
    storage.failed(new Error('of something else'))
    expect(told.map(({ problem }) => problem)).toEqual(['full', 'replaced'])
  })

  test('a disk that only says that writing failed is full where there is no room', () => {
    const { disk, storage } = known()
    const ioerr = Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 778 })
    storage.failed(ioerr)
    expect(storage.problem()).toBe('failing')
    disk.free = 0
    storage.failed(ioerr)
    expect(storage.problem()).toBe('full')
  })
})
