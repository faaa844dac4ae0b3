import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { waitFor } from '#testing/wait.ts'
import { migrations } from '../migrations/migrations.ts'
import { openDatabase } from '../opening/open-database.ts'
import { describeEachEngine, describePostgresUrl } from '../testing/engines.ts'
import { freezingProxy } from '../testing/postgres/freezing-proxy.ts'
import { isPassingFailure } from './passing-failure.ts'

async function failureOf(work: () => unknown): Promise<unknown> {
  try {
    await work()
  } catch (error) {
    return error
  }
  throw new Error('It did not fail')
}

describeEachEngine('a failure of the database', (openEmpty, engine) => {
  test('is not temporary when the statement can never succeed', async () => {
    const database = await openEmpty()
    for (const statement of [sql`select nothing from nowhere`, sql`insert into todos (id) values ('x')`]) {
      const failure = await failureOf(() => database.write((tx) => statement.execute(tx)))
      expect(isPassingFailure(failure)).toBe(false)
    }
    expect(isPassingFailure(new Error('of the program'))).toBe(false)
    expect(isPassingFailure('no error at all')).toBe(false)
  })

  if (engine === 'sqlite') return
  test('is temporary when the connection was closed, and the next one works', async () => {
    const database = await openEmpty()
    const ending = sql`select pg_terminate_backend(pg_backend_pid())`
    expect(isPassingFailure(await failureOf(() => ending.execute(database.read)))).toBe(true)
    await waitFor(() => database.ping())
  })
})

describePostgresUrl('a database that stops answering', (emptyUrl) => {
  test('is not awaited forever, and the same request may be made again', async () => {
    const proxy = await freezingProxy(await emptyUrl())
    onTestFinished(() => proxy.close())
    const database = await openDatabase(proxy.url, migrations, { responseTimeout: 1_000 })
    await waitFor(() => database.ping())
    void proxy.freeze()
    const reading = () => database.read.selectFrom('user').select('id').execute()
    expect(isPassingFailure(await failureOf(reading))).toBe(true)
  })
})

test('a failure of an SQLite file is temporary when another process holds the file, or the disk is full', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daymark-passing-'))
  const holding = new DatabaseSync(join(folder, 'daymark.db'))
  const waiting = new DatabaseSync(join(folder, 'daymark.db'), { timeout: 0 })
  onTestFinished(() => {
    holding.close()
    waiting.close()
    rmSync(folder, { recursive: true })
  })
  holding.exec('begin immediate')
  expect(isPassingFailure(await failureOf(() => waiting.exec('begin immediate')))).toBe(true)
  holding.exec('rollback')

  waiting.exec('create table big (text text); pragma max_page_count = 1')
  const filling = () => waiting.exec('insert into big values (hex(zeroblob(9999999)))')
  expect(isPassingFailure(await failureOf(filling))).toBe(true)
})
