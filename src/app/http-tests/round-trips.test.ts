import { beforeAll, expect, it } from 'vitest'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { describePostgresUrl } from '#platform/database/testing/engines.ts'
import {
  type CountingProxy,
  countingProxy,
  type RoundTrips,
} from '#platform/database/testing/postgres/counting-proxy.ts'
import { type Application, openApplication, type Person, type TestRequest } from '../testing/application.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')
const today = '2026-11-20'

describePostgresUrl('the round trips to the database', (emptyUrl) => {
  let proxy: CountingProxy
  let application: Application
  let ada: Person
  let now = noon

  beforeAll(async () => {
    proxy = await countingProxy(await emptyUrl())
    const database = await openDatabase(proxy.url)
    application = openApplication(database, { clock: () => now, settings: { rateLimit: true } })
    ada = await application.signUp('Ada')
    return async () => {
      await database.close()
      proxy.close()
    }
  })

  /** Like a device, which says when each change was made. */
  async function ask(method: string, path: string, body?: object, status = 200) {
    now += 1_000
    const said = body && { at: new Date(now).toISOString(), ...body }
    const request: TestRequest = { cookie: ada.cookie, ...(said && { body: said }) }
    const response = await application.ask(method, path, request)
    expect(response).toMatchObject({ status })
    return response
  }

  async function expectTrips(number: number, what: string, work: () => Promise<unknown>): Promise<void> {
    // The least of several times: meanwhile the program may also look whether the tables are still its own.
    const times = [await proxy.during(work), await proxy.during(work), await proxy.during(work)]
    const trips = times.toSorted((one, other) => one.length - other.length)[0] ?? []
    if (process.env.DAYMARK_TELL_ROUND_TRIPS === '1') process.stdout.write(told(what, trips))
    expect(trips.length, told(what, trips)).toBe(number)
    const begins = trips.flat().some((statement) => statement.startsWith('begin'))
    if (begins) expect(trips.at(-1)?.at(-1), told(what, trips)).toMatch(/commit$/)
  }

  it('are three for a create, a tick or an edit of a to-do', async () => {
    const create = () => ask('POST', '/api/todos', { title: 'Water the plants' }, 201)
    const { id } = (await create()).body.todo
    await expectTrips(3, 'creating a to-do', create)
    const tick = (completed: 0 | 1) => ask('PUT', `/api/todos/${id}`, { completed, day: today })
    await expectTrips(3, 'ticking a to-do', () => tick(1))
    await expectTrips(3, 'reopening a to-do', () => tick(0))
    await expectTrips(3, 'editing a to-do', () => ask('PUT', `/api/todos/${id}/edit`, { title: 'Or not' }))
    const removed = (await create()).body.todo.id
    await expectTrips(6, 'deleting and restoring a to-do', async () => {
      await ask('DELETE', `/api/todos/${removed}`)
      await ask('POST', `/api/todos/${removed}/restore`, {})
    })
  })

  it('are five to nine for a day of a habit', async () => {
    const add = async (body: object) =>
      (await ask('POST', '/api/habits', { name: 'Run', start_date: '2026-11-10', ...body }, 201)).body.habit
        .id
    const tick = (habit: string, completed: boolean, date = today) =>
      ask('POST', `/api/habits/${habit}/complete`, { date, completed })
    const run = await add({})
    await tick(run, true)
    await expectTrips(5, 'ticking a habit', () => tick(run, true))
    await expectTrips(5, 'taking back the tick of a habit', () => tick(run, false))
    const drink = await add({ target: { at: 'least', amount: 80_000, unit: 'glasses', per: 'day' } })
    const glass = () => ask('POST', `/api/habits/${drink}/amounts`, { day: today, value: 1_000 }, 201)
    await glass()
    await expectTrips(6, 'adding an amount', glass)
    const days = ['2026-11-17', '2026-11-18', '2026-11-19']
    await expectTrips(9, 'ticking the day of an amount', () => tick(drink, true, days.pop()))
  })

  it('are three or four for a list, and one for a list that is unchanged', async () => {
    for (const path of ['/api/todos', '/api/todos?done=recent', '/api/habits']) {
      const targets = ['', '?again', '?once+more'].map(
        (end) => path + (path.includes('?') ? end.replace('?', '&') : end),
      )
      await expectTrips(path === '/api/habits' ? 4 : 3, `reading ${path}`, () =>
        ask('GET', targets.pop() ?? path),
      )
      const { headers } = await ask('GET', path)
      await expectTrips(1, `asking again for ${path}`, async () => {
        const request = { cookie: ada.cookie, headers: { 'if-none-match': headers.get('etag') ?? '' } }
        expect(await application.ask('GET', path, request)).toMatchObject({ status: 304 })
      })
    }
  })

  it('are three for the to-dos that have changed', async () => {
    const path = '/api/todos?done=recent'
    const { id } = (await ask('POST', '/api/todos', { title: 'Sow' }, 201)).body.todo
    const tags: string[] = []
    // Each is asked for once, since a response is kept.
    for (const title of ['Sow peas', 'Sow beans', 'Sow beets']) {
      const { headers } = await ask('GET', path)
      tags.push((headers.get('etag') ?? '').replaceAll(/^W\/|"/g, ''))
      await ask('PUT', `/api/todos/${id}/edit`, { title })
    }
    const readSince = async (tag: string | undefined) => {
      const { body } = await ask('GET', `${path}&since=${encodeURIComponent(tag ?? '')}`)
      expect(body).toMatchObject({ since: tag, todos: [{ title: 'Sow beets' }] })
    }
    await expectTrips(3, 'reading what has changed', () => readSince(tags.pop()))
  })
})

function told(what: string, trips: RoundTrips): string {
  const lines = trips.map(
    (statements, place) =>
      `${String(place + 1).padStart(4)} ${statements.map((text) => text.replace(/\s+/g, ' ').slice(0, 220)).join('\n   + ')}`,
  )
  return `\n${what}: ${trips.length} round trips\n${lines.join('\n')}\n`
}
