import { closeSync, copyFileSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { waitFor, waitUntil } from '#testing/wait.ts'
import type { Database } from '../database.ts'
import { migrations } from '../migrations/migrations.ts'
import { openDatabase } from '../opening/open-database.ts'
import { addUser } from '../testing/add-user.ts'
import { describeEachEngine, describePostgresUrl } from '../testing/engines.ts'
import { newPath, users } from '../testing/sqlite-file.ts'
import { isPassingFailure } from './passing-failure.ts'
import { type StorageChange, StorageMonitor } from './storage.ts'
import { StorageFailure, type StorageProblem } from './storage-problem.ts'

async function open(path = newPath()): Promise<Database> {
  const database = await openDatabase(`sqlite:${path}`)
  onTestFinished(() => database.close())
  return database
}

/** What an operator is told, in order. */
function reportsOf({ storage }: Pick<Database, 'storage'>): string[] {
  const reports: string[] = []
  storage.listen((change) => reports.push('seconds' in change ? `${change.problem} is over` : change.problem))
  return reports
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

/** It checks again without being asked. */
const storesAgain = ({ storage }: Database) => waitUntil(() => storage.problem() === undefined)

describe('a file that nothing can be stored in', () => {
  test('is reported full once a write fails for that reason, stays readable, and takes writes again when there is room', async () => {
    const database = await open()
    const reports = reportsOf(database)
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
    expect(reports).toEqual(['full', 'full is over'])
  })

  test('is reported read-only before anybody writes, and by statements that are not ours', async () => {
    const database = await open()
    const reports = reportsOf(database)
    await sql`pragma query_only = on`.execute(database.auth)
    await database.storage.probe()
    expect(database.storage.problem()).toBe('read-only')
    await sql`pragma query_only = off`.execute(database.auth)
    await storesAgain(database)

    await sql`pragma query_only = on`.execute(database.auth)
    await failureOf(() => addUser(database.auth, 'sqlite', 'ada'))
    expect(database.storage.problem()).toBe('read-only')
    expect(reports, 'told once, though it came back').toEqual(['read-only', 'read-only is over'])
  })

  test('is not considered read-only because a read connection cannot write', async () => {
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

  test('reads are answered, and writes go through once it lets go', async () => {
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

  test('for too long, writers are told to try again, and succeed once it lets go', async () => {
    const { database, other } = await openHeld()
    const reports = reportsOf(database)
    expect(isPassingFailure(await failureOf(() => write(database)))).toBe(true)
    expect(database.storage.problem()).toBe('locked')
    expect(await numberOfUsers(database)).toBe(0)
    other.exec('rollback')
    await storesAgain(database)
    await write(database)
    expect(reports).toEqual(['locked', 'locked is over'])
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
    const reports = reportsOf(database)
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
    expect(reports).toEqual(['replaced'])

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

  test('takes no more writes once the damage is found, and the rest stays readable', async () => {
    const path = await damaged()
    const database = await open(path)
    const reports = reportsOf(database)
    await write(database)
    const reading = () => database.read.selectFrom('todos').selectAll().execute()
    expect(isPassingFailure(await failureOf(reading))).toBe(true)
    expect(database.storage.problem()).toBe('corrupt')
    for (const writing of [() => write(database), () => addUser(database.auth, 'sqlite', 'ada')])
      expect(await failureOf(writing)).toMatchObject({ problem: 'corrupt' })
    expect(await numberOfUsers(database)).toBe(2)
    expect(reports).toEqual(['corrupt'])
    await database.close()
    expect(await users(path, migrations)).toHaveLength(2)
  })
})

describeEachEngine('a database that works', (openEmpty) => {
  test('is found able to store, by a write that changes nothing', async () => {
    const database = await openEmpty()
    const reports = reportsOf(database)
    await database.storage.probe()
    await write(database)
    expect([database.storage.problem(), ...reports]).toEqual([undefined])
  })
})

describePostgresUrl('a PostgreSQL that became read-only, as a standby is', (emptyUrl) => {
  test('is recognized, stays readable, and takes writes again', async () => {
    const url = await emptyUrl()
    const database = await openDatabase(url)
    onTestFinished(() => database.close())
    const reports = reportsOf(database)
    const name = new URL(url).pathname.slice(1)
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    onTestFinished(() => admin.end())
    const alter = async (setting: string) => {
      await admin.query(`alter database ${name} ${setting}`)
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
    expect(reports).toEqual(['read-only', 'read-only is over'])
  })
})

describe('what is known about the storage', () => {
  function monitored() {
    vi.useFakeTimers()
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const disk: { problem: StorageProblem | undefined; free: number | undefined; tried: number } = {
      problem: undefined,
      free: undefined,
      tried: 0,
    }
    const storage = new StorageMonitor({
      async tryStoring() {
        disk.tried += 1
        if (disk.problem) throw new StorageFailure(disk.problem)
      },
      freeBytes: () => disk.free,
      now: () => Date.now(),
    })
    onTestFinished(() => storage.stop())
    const reports: StorageChange[] = []
    storage.listen((change) => reports.push(change))
    const breakFor = async (problem: StorageProblem, milliseconds: number) => {
      disk.problem = problem
      storage.failed(new StorageFailure(problem))
      await vi.advanceTimersByTimeAsync(milliseconds)
      disk.problem = undefined
      await vi.advanceTimersByTimeAsync(2_000)
    }
    return { disk, storage, reports, breakFor }
  }

  test('however often health is checked, storing is tried at most every five seconds, and not while there are writes', async () => {
    const { disk, storage } = monitored()
    for (let checks = 0; checks < 100; checks++) await storage.probe()
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

  test('a disk that keeps filling up and emptying is reported once a minute, and its final state is reported', async () => {
    const { disk, storage, reports, breakFor } = monitored()
    await breakFor('full', 4_000)
    await breakFor('full', 4_000)
    await breakFor('full', 4_000)
    expect(reports).toMatchObject([{ problem: 'full' }, { problem: 'full', seconds: 6 }])
    disk.problem = 'full'
    storage.failed(new StorageFailure('full'))
    await vi.advanceTimersByTimeAsync(70_000)
    expect(reports).toHaveLength(3)
    expect(reports[2]).toMatchObject({ problem: 'full', began: expect.anything() })
  })

  test('a different problem is reported at once', async () => {
    const { storage, reports } = monitored()
    storage.failed(new StorageFailure('full'))
    storage.failed(new StorageFailure('replaced'))
    storage.failed(new Error('of something else'))
    expect(reports.map(({ problem }) => problem)).toEqual(['full', 'replaced'])
  })

  test('a disk that only says that writing failed counts as full when there is no room', () => {
    const { disk, storage } = monitored()
    const ioerr = Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 778 })
    storage.failed(ioerr)
    expect(storage.problem()).toBe('failing')
    disk.free = 0
    storage.failed(ioerr)
    expect(storage.problem()).toBe('full')
  })
})
