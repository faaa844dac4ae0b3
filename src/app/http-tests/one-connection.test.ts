import { expect, it } from 'vitest'
import type { Day } from '#platform/calendar/day.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { describePostgresUrl } from '#platform/database/testing/engines.ts'
import { openApplication } from '../testing/application.ts'
import { fillMaximally, idOf, kinds } from '../testing/maximal-account.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')
const today = '2026-11-20' as Day

// Work that asks for a second connection while it holds the only one would wait for itself. With ten connections, ten such requests
// at once would.
describePostgresUrl('a single connection to the database', (emptyUrl) => {
  async function openFull() {
    const database = await openDatabase(await emptyUrl(), undefined, { poolSize: 1, responseTimeout: 10_000 })
    const application = openApplication(database, { clock: () => now })
    const [ada, eve] = [await application.signUp('Ada'), await application.signUp('Eve')]
    await fillMaximally(database, ada.id, { today, now, size: 0.05 })
    return { database, application, ada, eve }
  }

  it('is enough for everything that can be read, even all at once', async () => {
    const { database, application, ada } = await openFull()
    const days = `from=2026-10-01&to=${today}`
    const filled: Readonly<Record<string, readonly string[]>> = {
      '/api/todos': ['/api/todos', '/api/todos?done=recent'],
      '/api/todos/completed': [`/api/todos/completed?${days}`, '/api/todos/completed?search=nothing'],
      '/api/todos/{id}/days': [`/api/todos/${idOf(kinds.settled, 0)}/days?${days}`],
      '/api/habits/completed': [`/api/habits/completed?${days}`],
      '/api/habits/due': [`/api/habits/due?${days}`, `/api/habits/due?${days}&list`],
      '/api/habits/{id}/completions': habitKinds.map((id) => `/api/habits/${id}/completions?${days}`),
      '/api/habits/{id}/days': habitKinds.map((id) => `/api/habits/${id}/days?${days}`),
      '/api/focus': [`/api/focus?${days}`],
      '/api/focus/completed': [`/api/focus/completed?${days}`],
      '/api/focus/subjects': [`/api/focus/subjects?${days}`],
      '/api/focus/subjects/{todoId}': [`/api/focus/subjects/${idOf(kinds.settled, 0)}?${days}`],
      // There is no picture, and the events never end.
      '/api/pictures/{id}': [],
      '/api/events': [],
    }
    const readings = application.endpoints
      .filter(({ method, access }) => method === 'GET' && access === 'signed-in')
      .flatMap(({ path }) => filled[path] ?? [path])
    expect(readings.length).toBeGreaterThan(25)
    const headers = { host: 'localhost', cookie: ada.cookie }
    const read = async (path: string) => {
      const response = await application.app.request(path, { headers })
      await response.arrayBuffer()
      return { path, status: response.status }
    }
    expect(await Promise.all(readings.map(read))).toEqual(readings.map((path) => ({ path, status: 200 })))
    await database.close()
  })

  it('serves everybody else while a long response waits for its client', async () => {
    const { database, application, ada, eve } = await openFull()
    const headers = { host: 'localhost', cookie: ada.cookie }
    const response = await application.app.request('/api/export', { headers })
    const reader = response.body?.getReader()
    const pieces: Uint8Array[] = []
    for (let add = 1; ; add++) {
      const { value } = (await reader?.read()) ?? {}
      if (!value) break
      pieces.push(value)
      const asked = { cookie: eve.cookie, body: { title: `Meanwhile ${add}` } }
      expect(await application.ask('POST', '/api/todos', asked)).toMatchObject({ status: 201 })
    }
    expect(pieces.length).toBeGreaterThan(10)
    expect(JSON.parse(Buffer.concat(pieces).toString()).todos.length).toBeGreaterThan(100)
    await database.close()
  })
})

const habitKinds = [kinds.daily, kinds.counted, kinds.minutes, kinds.changing].map((kind) => idOf(kind, 0))
