import { copyFileSync, renameSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Database } from '#platform/database/database.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { newPath } from '#platform/database/testing/sqlite-file.ts'
import { waitUntil } from '#testing/wait.ts'
import { openApplication, password } from '../testing/application.ts'

async function open(settings = {}) {
  const path = newPath()
  const database = await openDatabase(`sqlite:${path}`)
  onTestFinished(() => database.close())
  const daymark = openApplication(database, { settings })
  const ada = await daymark.signUp('Ada')
  const { cookie } = ada
  const ask = (method: string, url: string, body?: unknown) => daymark.ask(method, url, { cookie, body })
  const add = (title = 'x') => ask('POST', '/api/todos', { title, completed: 0 })
  await add()
  const health = () => daymark.ask('GET', '/api/health')
  /** What the log says, except for the lines of requests. */
  const said = () =>
    daymark.lines.map((line) => JSON.parse(line)).filter(({ msg }: { msg?: string }) => msg !== undefined)
  const healthy = () => waitUntil(async () => (await health()).status === 200)
  return { path, database, daymark, ada, ask, add, health, said, healthy }
}

const readOnly = (database: Database, is: boolean) =>
  sql`pragma query_only = ${sql.raw(is ? 'on' : 'off')}`.execute(database.auth)

const full = { code: 'STORAGE_FULL', message: "The server's disk is full, so nothing can be saved." }

describe('a server whose disk is full', () => {
  async function openFull() {
    const opened = await open()
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(opened.database.auth)
    await sql`pragma max_page_count = ${sql.lit(Number(rows[0]?.page_count))}`.execute(opened.database.auth)
    return opened
  }

  it('says so to clients that write and in its health check, and once in its log, and accepts writes when there is room again', async () => {
    const { database, add, ask, health, said, healthy } = await openFull()
    const statuses = new Set<number>()
    for (let tried = 0; tried < 100; tried++) {
      const asked = await add('long '.repeat(100))
      if (asked.status === 201) continue
      statuses.add(asked.status)
      expect(asked.body).toEqual(full)
      expect(asked.headers.get('retry-after')).toBe('5')
    }
    expect([...statuses]).toEqual([503])
    expect(await health()).toMatchObject({ status: 503, body: full })
    expect((await ask('GET', '/api/todos')).status).toBe(200)
    expect(said()).toEqual([
      expect.objectContaining({
        level: 50,
        problem: 'full',
        errcode: 13,
        freeBytes: expect.any(Number),
        msg: 'Nothing can be stored: the disk is full',
      }),
    ])

    await sql`pragma max_page_count = 1000000`.execute(database.auth)
    await healthy()
    expect((await add()).status).toBe(201)
    expect(said().slice(1)).toEqual([
      expect.objectContaining({
        level: 30,
        problem: 'full',
        seconds: expect.any(Number),
        msg: 'The database takes writes again',
      }),
    ])
  })
})

describe('a server whose database is read-only', () => {
  const code = 'STORAGE_READ_ONLY'

  it('is unhealthy, even if nobody has tried to write', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const { database, health } = await open()
    expect((await health()).status).toBe(200)
    await readOnly(database, true)
    vi.advanceTimersByTime(5_000)
    expect(await health()).toMatchObject({ status: 503, body: { code } })
  })

  it('tells whoever signs up or in, and its log once', async () => {
    const { database, daymark, ada, said } = await open()
    await readOnly(database, true)
    const eve = { name: 'Eve', email: 'eve@example.org', password }
    for (let tried = 0; tried < 3; tried++) {
      for (const [path, body] of [
        ['/api/auth/sign-up/email', eve],
        ['/api/auth/sign-in/email', { email: ada.email, password }],
      ] as const) {
        expect(await daymark.ask('POST', path, { body }), path).toMatchObject({ status: 503, body: { code } })
      }
    }
    expect(said().map(({ msg }) => msg)).toEqual(['Nothing can be stored: the database is read-only'])
  })

  it('shows their lists to people who come back after hours, and opens their event streams', async () => {
    const { database, ask } = await open({ rateLimit: true })
    await sql`update session set "updatedAt" = ${new Date(Date.now() - 7_200_000).toISOString()}, "expiresAt" = ${new Date(Date.now() + 29 * 86_400_000).toISOString()}`.execute(
      database.auth,
    )
    await readOnly(database, true)
    expect(await ask('GET', '/api/todos')).toMatchObject({ status: 200, body: { todos: [{ title: 'x' }] } })
    expect((await ask('GET', '/api/events')).status).toBe(200)
  })
})

describe('a server whose file', () => {
  it('is locked by another program answers reads, and writes as soon as it is unlocked', async () => {
    const { path, ask, add, health } = await open()
    const other = new DatabaseSync(path)
    onTestFinished(() => other.close())
    other.exec('begin immediate')
    const adding = add()
    const first = await Promise.race([adding.then(() => 'written'), setTimeout(300, 'waits')])
    expect(first).toBe('waits')
    expect((await ask('GET', '/api/todos')).body.todos).toHaveLength(1)
    expect((await health()).status).toBe(200)
    other.exec('rollback')
    expect((await adding).status).toBe(201)
  })

  it('is locked for long says so, and recovers', async () => {
    const { path, ask, add, health, healthy } = await open()
    const other = new DatabaseSync(path)
    onTestFinished(() => other.close())
    other.exec('begin immediate')
    const code = 'STORAGE_LOCKED'
    expect(await add()).toMatchObject({ status: 503, body: { code } })
    expect(await health()).toMatchObject({ status: 503, body: { code } })
    expect((await ask('GET', '/api/todos')).status).toBe(200)
    other.exec('rollback')
    await healthy()
    expect((await add()).status).toBe(201)
  })

  it('was replaced accepts nothing: none of ten writes is acknowledged, and the log says what to do', async () => {
    const { path, ask, add, health, said } = await open()
    renameSync(path, `${path}.away`)
    copyFileSync(`${path}.away`, path)
    const code = 'STORAGE_REPLACED'
    expect(await health()).toMatchObject({ status: 503, body: { code } })
    for (let tried = 0; tried < 10; tried++)
      expect(await add()).toMatchObject({ status: 503, body: { code } })
    expect((await ask('GET', '/api/todos')).status).toBe(200)
    expect(said().map(({ msg }) => msg)).toEqual([
      'Nothing can be stored: the database file was replaced or removed: restart Daymark',
    ])
  })
})
