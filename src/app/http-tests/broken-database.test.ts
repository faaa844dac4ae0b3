import { sql } from 'kysely'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import type { Database } from '#platform/database/database.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { describeEachEngine, describePostgresUrl } from '#platform/database/testing/engines.ts'
import { waitUntil } from '#testing/wait.ts'
import { type Application, openApplication, type Person, password } from '../testing/application.ts'

const title = { title: 'x', completed: 0 }

describeEachEngine('an internal error', (openEmpty) => {
  let database: Database
  let daymark: Application
  let ada: Person
  beforeAll(async () => {
    database = await openEmpty()
    const breaking: Database = {
      ...database,
      writeFor: () =>
        Promise.reject(
          new Error('insert of ada@example.org failed near "secret title\n    at secret title"'),
        ),
    }
    ada = await openApplication(database).signUp('Ada')
    daymark = openApplication(breaking)
  })

  it("responds with a 500 with the request's id, and reveals nothing internal", async () => {
    const asked = await daymark.ask('POST', '/api/todos', { cookie: ada.cookie, body: title })
    const requestId = asked.headers.get('x-request-id')
    expect(asked).toMatchObject({
      status: 500,
      body: {
        code: 'INTERNAL_ERROR',
        message: `Something went wrong on the server. Request ID: ${requestId}.`,
      },
    })
    const line = daymark.lines.map((each) => JSON.parse(each)).find((each) => each.level === 50)
    expect(line).toMatchObject({
      requestId,
      error: {
        type: 'Error',
        stack: expect.arrayContaining([expect.stringMatching(/^at .*broken-database/)]),
      },
    })
    for (const secret of ['ada@example.org', 'secret title'])
      expect(daymark.lines.join()).not.toContain(secret)
  })
})

describeEachEngine('while the database is unreachable', (openEmpty) => {
  let daymark: Application
  let ada: Person
  beforeAll(async () => {
    const database = await openEmpty()
    daymark = openApplication(database)
    ada = await daymark.signUp('Ada')
    await database.close()
  })
  it('the health check says so', async () => {
    expect(await daymark.ask('GET', '/api/health')).toMatchObject({
      status: 503,
      body: { code: 'DATABASE_UNREACHABLE' },
    })
  })

  it('a write is told to retry later, so that the device keeps it', async () => {
    const asked = await daymark.ask('POST', '/api/todos', { cookie: ada.cookie, body: title })
    expect(asked).toMatchObject({ status: 503, body: { code: 'DATABASE_UNREACHABLE' } })
    expect(asked.headers.get('retry-after')).toBe('5')
  })

  it('nobody is told that they are signed out', async () => {
    expect((await daymark.ask('GET', '/api/auth/get-session', { cookie: ada.cookie })).status).toBe(503)
    expect((await daymark.ask('GET', '/api/todos', { cookie: ada.cookie })).status).toBe(503)
  })

  it("signing in and signing up fail as server errors, not as the person's mistake", async () => {
    const body = { name: 'Ada', email: ada.email, password }
    expect((await daymark.ask('POST', '/api/auth/sign-in/email', { body })).status).toBe(503)
    expect((await daymark.ask('POST', '/api/auth/sign-up/email', { body })).status).toBe(503)
  })
})

describePostgresUrl('while connections to the database break', (emptyUrl) => {
  it('every call succeeds or is told to retry later: nobody is signed out, and no write is dropped', async () => {
    const database = await openDatabase(await emptyUrl())
    onTestFinished(() => database.close())
    const daymark = openApplication(database)
    const { cookie } = await daymark.signUp('Ada')
    const breaking = async () => {
      const others = 'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()'
      await sql
        .raw(`${others} and datname = current_database()`)
        .execute(database.read)
        .catch(() => undefined)
    }
    const statuses = new Set<number>()
    for (let round = 0; round < 20; round++) {
      const writing = Array.from({ length: 8 }, () =>
        daymark.ask('POST', '/api/todos', { cookie, body: title }),
      )
      const asked = await Promise.all([...writing, breaking()])
      for (const response of asked) if (response) statuses.add(response.status)
    }
    expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([])
    const { status } = await waitUntil(async () => {
      const asked = await daymark.ask('GET', '/api/todos', { cookie })
      return asked.status === 200 && asked
    })
    expect(status).toBe(200)
  })
})
