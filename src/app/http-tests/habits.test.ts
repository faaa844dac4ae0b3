import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type Application, openApplication, type Person } from '../testing/application.ts'

// A Friday.
const noon = Date.parse('2026-11-20T12:00:00.000Z')
const today = '2026-11-20'
const id = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`

describeEachEngine('the habits API', (openEmpty) => {
  let daymark: Application
  let ada: Person
  let bob: Person
  let now = noon
  beforeAll(async () => {
    daymark = openApplication(await openEmpty(), { clock: () => now })
    ada = await daymark.signUp('Ada')
    bob = await daymark.signUp('Bob')
  })
  beforeEach(() => {
    now = noon
  })

  const ask = (method: string, path: string, body?: unknown) =>
    daymark.ask(method, path, { body, cookie: ada.cookie })
  const add = async (name: string, more: object = {}) => {
    const habit = { name, description: '', frequency: 'daily', start_date: '2026-11-01', ...more }
    return (await ask('POST', '/api/habits', habit)).body.habit
  }
  const complete = async (habit: { id: string }, body?: object) =>
    (await ask('POST', `/api/habits/${habit.id}/complete`, body)).body.habit
  const daysOf = async (habit: { id: string }) =>
    (await ask('GET', `/api/habits/${habit.id}/completions?from=2026-01-01&to=2026-12-31`)).body.days

  describe('POST /api/habits', () => {
    it('adds a habit with {name, description, frequency, start_date} and responds with it as JSON', async () => {
      const body = { name: 'Read', description: 'A page', frequency: 'daily', start_date: today }
      const asked = await ask('POST', '/api/habits', body)
      expect(asked.status).toBe(201)
      expect(asked.body.habit).toEqual({
        id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7/),
        ...body,
        chosen_start: { day: today, at: '2026-11-20T12:00:00.000Z' },
        reminder: null,
        completed: false,
        current_streak: 0,
        longest_streak: 0,
        completion_rate: null,
        recent: [],
        earlier: {
          from: expect.any(String),
          run: 0,
          longest: 0,
          records: { days: 0, weeks: 0, months: 0, times: 0 },
          strength: { mean: 0, weight: 0 },
          first_entry: null,
          name: expect.any(String),
        },
        since: [],
        rhythm: { every: 1 },
        target: 'yes',
        rhythms: [{ from_day: today, rhythm: { every: 1 }, target: 'yes' }],
        strength: null,
        today: { state: 'open', amount: null },
        skipped: [],
        amounts: [],
        entries: [],
        sessions: [],
        position: expect.any(String),
        archived_at: null,
        created_at: '2026-11-20T12:00:00.000Z',
      })
    })

    it('without a description or a frequency, adds a daily habit without a description', async () => {
      const asked = await ask('POST', '/api/habits', { name: 'Bare', start_date: today })
      expect(asked).toMatchObject({ status: 201, body: { habit: { description: '', frequency: 'daily' } } })
    })

    it('trims title, description and frequency', async () => {
      const habit = await add('  Run  ', { description: '\n slowly ', frequency: ' weekly ' })
      expect(habit).toMatchObject({ name: 'Run', description: 'slowly', frequency: 'weekly' })
    })

    it('the same id sent twice exists once: 201, then 200 with what is stored', async () => {
      const body = { name: 'Once', start_date: today, id: id(1) }
      const first = await ask('POST', '/api/habits', body)
      const second = await ask('POST', '/api/habits', { ...body, name: 'Twice' })
      expect([first.status, second.status]).toEqual([201, 200])
      expect(second.body).toEqual(first.body)
    })

    it.each([
      ['no name', { name: undefined }, 'name', 'Name must be text'],
      ['a name of blanks', { name: ' \t ' }, 'name', 'Name must not be empty'],
      ['a name of 501 characters', { name: 'x'.repeat(501) }, 'name', 'Name must not exceed 500 characters'],
      [
        'a description of 5,001 characters',
        { description: 'x'.repeat(5001) },
        'description',
        'Description must not exceed 5000 characters',
      ],
      [
        'a NUL',
        { description: 'a\0b' },
        'description',
        "Description contains characters that can't be stored",
      ],
      ['a monthly habit', { frequency: 'monthly' }, 'frequency', 'Expected daily or weekly'],
      ['no first day', { start_date: undefined }, 'start_date', 'Expected a day as YYYY-MM-DD'],
      [
        'a first day that is none',
        { start_date: '2026-02-29' },
        'start_date',
        'Expected a day as YYYY-MM-DD',
      ],
      ['a first day before 1900', { start_date: '1899-12-31' }, 'start_date', 'Expected a day from 1900 on'],
      [
        'a first day that is nowhere yet',
        { start_date: '2026-11-22' },
        'start_date',
        "This day hasn't started in any time zone yet.",
      ],
      ['an id that is no UUIDv7', { id: '7' }, 'id', 'Expected a UUIDv7 or UUIDv8'],
    ])('refuses %s, and says so at its field', async (_, wrong, field, message) => {
      const body = { name: 'Read', description: '', frequency: 'daily', start_date: today, ...wrong }
      expect(await ask('POST', '/api/habits', body)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', fields: { [field]: message } },
      })
    })

    it('accepts 500 characters as a name, 5,000 as a description, and any script', async () => {
      const name = '家族 👩‍👩‍👧‍👦'.padEnd(500, 'x')
      const habit = await add(name, { description: 'x'.repeat(5000) })
      expect(habit).toMatchObject({ name, description: 'x'.repeat(5000) })
    })
  })

  it('GET /api/habits answers an object with a habits array, oldest first', async () => {
    const { cookie } = await daymark.signUp('Cleo')
    const askAsCleo = (method: string, body?: object) => daymark.ask(method, '/api/habits', { cookie, body })
    for (const [name, at] of [
      ['Second', '2026-11-20T10:00:00.000Z'],
      ['First', '2026-11-20T09:00:00.000Z'],
    ]) {
      await askAsCleo('POST', { name, start_date: today, at })
    }
    const { status, body } = await askAsCleo('GET')
    expect(status).toBe(200)
    expect(body.habits.map(({ name }: { name: string }) => name)).toEqual(['First', 'Second'])
  })

  describe('PUT /api/habits/{id}', () => {
    it('changes the fields that it contains and leaves the rest', async () => {
      const habit = await add('Wrte', { description: 'daily' })
      const url = `/api/habits/${habit.id}`
      expect((await ask('PUT', url, { name: ' Write ' })).body.habit).toEqual({ ...habit, name: 'Write' })
      expect((await ask('PUT', url, { description: '' })).body.habit).toMatchObject({
        name: 'Write',
        description: '',
      })
      expect((await ask('PUT', url, { frequency: 'weekly' })).body.habit).toMatchObject({
        name: 'Write',
        frequency: 'weekly',
      })
    })

    it('of two changes to the same field the later one wins, whichever arrives first', async () => {
      const habit = await add('Race', { at: '2026-11-20T10:00:00.000Z' })
      const url = `/api/habits/${habit.id}`
      await ask('PUT', url, { name: 'Second', at: '2026-11-20T10:02:00.000Z' })
      const late = await ask('PUT', url, {
        name: 'First',
        frequency: 'weekly',
        at: '2026-11-20T10:01:00.000Z',
      })
      expect(late).toMatchObject({ status: 200, body: { habit: { name: 'Second', frequency: 'weekly' } } })
    })

    it.each([
      ['an empty name', { name: '' }, 'name'],
      ['501 characters', { name: 'x'.repeat(501) }, 'name'],
      ['another rhythm', { frequency: 'yearly' }, 'frequency'],
    ])('refuses %s', async (_, body, field) => {
      const habit = await add('Kept')
      const asked = await ask('PUT', `/api/habits/${habit.id}`, body)
      expect(asked).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } })
    })
  })

  describe('POST /api/habits/{id}/complete without a body toggles', () => {
    it('a daily habit: completes today, then undoes it', async () => {
      const habit = await add('Toggle')
      expect(await complete(habit)).toMatchObject({ completed: true, current_streak: 1, recent: [today] })
      expect(await complete(habit)).toMatchObject({ completed: false, current_streak: 0, recent: [] })
    })

    it('even with a JSON content type, or with an empty body', async () => {
      const habit = await add('Toggle')
      const headers = { 'content-type': 'application/json' }
      const path = `/api/habits/${habit.id}/complete`
      const asked = await daymark.ask('POST', path, { cookie: ada.cookie, headers })
      expect(asked).toMatchObject({ status: 200, body: { habit: { completed: true } } })
      expect(await complete(habit, {})).toMatchObject({ completed: false })
    })

    it('a weekly habit: undoes every completion of the week, and leaves the week before', async () => {
      const habit = await add('Weekly', { frequency: 'weekly' })
      for (const date of ['2026-11-15', '2026-11-16', '2026-11-18']) await complete(habit, { date })
      expect(await complete(habit)).toMatchObject({ completed: false })
      expect(await daysOf(habit)).toEqual(['2026-11-15'])
      expect(await complete(habit)).toMatchObject({ completed: true, current_streak: 2 })
      expect(await daysOf(habit)).toEqual(['2026-11-15', today])
    })
  })

  describe('POST /api/habits/{id}/complete with a body', () => {
    it('{date} toggles that day and no other', async () => {
      const habit = await add('A day')
      await complete(habit, { date: '2026-11-18' })
      expect(await complete(habit, { date: '2026-11-17' })).toMatchObject({
        completed: false,
        longest_streak: 2,
      })
      await complete(habit, { date: '2026-11-18' })
      expect(await daysOf(habit)).toEqual(['2026-11-17'])
    })

    it('{completed} sets today, {date, completed} sets that day, and sending it twice changes nothing', async () => {
      const habit = await add('Set')
      for (let time = 0; time < 2; time++) {
        expect(await complete(habit, { completed: true })).toMatchObject({ completed: true })
        await complete(habit, { date: '2026-11-19', completed: true })
        expect(await daysOf(habit)).toEqual(['2026-11-19', today])
      }
      for (let time = 0; time < 2; time++) {
        expect(await complete(habit, { completed: false })).toMatchObject({ completed: false })
        await complete(habit, { date: '2026-11-19', completed: false })
        expect(await daysOf(habit)).toEqual([])
      }
    })

    it('completing a day before the first one makes it the first', async () => {
      const habit = await add('Earlier', { start_date: '2026-11-10' })
      expect(await complete(habit, { date: '2026-11-05' })).toMatchObject({ start_date: '2026-11-05' })
    })

    it('a day that has begun in Kiribati is accepted and counts in the streak; the day after is not', async () => {
      const habit = await add('East')
      expect(await complete(habit, { date: '2026-11-21' })).toMatchObject({ current_streak: 1 })
      expect(await ask('POST', `/api/habits/${habit.id}/complete`, { date: '2026-11-22' })).toMatchObject({
        status: 400,
        body: { fields: { date: "This day hasn't started in any time zone yet." } },
      })
      now = Date.parse('2026-11-20T09:59:59.000Z')
      expect((await ask('POST', `/api/habits/${habit.id}/complete`, { date: '2026-11-21' })).status).toBe(400)
      now += 1000
      expect((await ask('POST', `/api/habits/${habit.id}/complete`, { date: '2026-11-21' })).status).toBe(200)
    })

    it('a future day from a fast clock becomes the day on which the change was made', async () => {
      const at = '2026-11-19T10:00:00.000Z'
      const habit = await add('Far ahead', { start_date: '2026-12-24', at })
      expect(habit).toMatchObject({ start_date: '2026-11-19' })
      await complete(habit, { date: '2026-12-24', completed: true, at })
      expect(await daysOf(habit)).toEqual(['2026-11-19'])
    })

    it('of two changes to the same day the later one wins, whichever arrives first', async () => {
      const habit = await add('Race')
      await complete(habit, { completed: true, at: '2026-11-20T10:02:00.000Z' })
      const late = await complete(habit, { completed: false, at: '2026-11-20T10:01:00.000Z' })
      expect(late).toMatchObject({ completed: true })
    })

    it('a change from a fast clock counts as made now', async () => {
      const habit = await add('Ahead')
      await complete(habit, { completed: true, at: '2031-01-01T00:00:00.000Z' })
      now += 1000
      expect(await complete(habit, { completed: false })).toMatchObject({ completed: false })
    })

    it.each([
      ['a day that is none', { date: '2026-02-30' }, 'date'],
      ['a day before 1900', { date: '1899-12-31' }, 'date'],
      ['neither yes nor no', { completed: 1 }, 'completed'],
      ['an instant that is none', { at: 'yesterday' }, 'at'],
    ])('refuses %s, and changes nothing', async (_, body, field) => {
      const habit = await add('Kept')
      const asked = await ask('POST', `/api/habits/${habit.id}/complete`, body)
      expect(asked).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } })
      expect(await daysOf(habit)).toEqual([])
    })
  })

  it('DELETE /api/habits/{id}/completions removes all in the range, both ends included', async () => {
    const habit = await add('Weekly', { frequency: 'weekly' })
    for (const date of ['2026-11-15', '2026-11-16', '2026-11-18', '2026-11-20'])
      await complete(habit, { date })
    const url = `/api/habits/${habit.id}/completions`
    const asked = await ask('DELETE', `${url}?from=2026-11-16&to=2026-11-18`)
    expect(asked).toMatchObject({ status: 200, body: { habit: { completed: true } } })
    expect(await daysOf(habit)).toEqual(['2026-11-15', '2026-11-20'])
    expect(await ask('DELETE', `${url}?from=2026-11-20&to=2026-11-16`)).toMatchObject({
      status: 400,
      body: { fields: { to: 'The range ends before it begins' } },
    })
    expect((await ask('DELETE', `${url}?from=2026-11-16`)).status).toBe(400)
    expect(await daysOf(habit)).toEqual(['2026-11-15', '2026-11-20'])
  })

  describe('a deleted habit', () => {
    it('DELETE /api/habits/{id} removes it from the list, and a second time finds nothing', async () => {
      const habit = await add('Delete me')
      const url = `/api/habits/${habit.id}`
      expect(await ask('DELETE', url)).toMatchObject({ status: 200, body: { success: true } })
      expect(await ask('DELETE', url)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
      const { body } = await ask('GET', '/api/habits')
      expect(body.habits.map((each: { id: string }) => each.id)).not.toContain(habit.id)
    })

    it('responds with 404 to every other call, and cannot be added again', async () => {
      const habit = await add('Gone')
      await complete(habit)
      await ask('DELETE', `/api/habits/${habit.id}`)
      expect(await statuses(ask, habit.id)).toEqual([404, 404, 404, 404])
      expect(
        (await ask('POST', '/api/habits', { name: 'Gone', start_date: today, id: habit.id })).status,
      ).toBe(404)
    })

    it('is restored with all of its completions, without a body', async () => {
      const habit = await add('Back again')
      await complete(habit, { date: '2026-11-19' })
      const before = await complete(habit)
      await ask('DELETE', `/api/habits/${habit.id}`)
      const asked = await ask('POST', `/api/habits/${habit.id}/restore`)
      expect(asked).toMatchObject({ status: 200, body: { habit: before } })
    })

    it('is restored by a change made after the deletion, and not by one made before it', async () => {
      const habit = await add('Done elsewhere', { at: '2026-11-20T10:00:00.000Z' })
      const url = `/api/habits/${habit.id}`
      await ask('DELETE', `${url}?at=2026-11-20T10:02:00.000Z`)
      const completion = (date: string, at: string) =>
        ask('POST', `${url}/complete`, { date, completed: true, at })
      expect((await completion('2026-11-19', '2026-11-20T10:01:00.000Z')).status).toBe(404)
      expect((await completion('2026-11-20', '2026-11-20T10:03:00.000Z')).status).toBe(200)
      // What was done before is not lost either, now that there is a habit to show it.
      expect(await daysOf(habit)).toEqual(['2026-11-19', '2026-11-20'])
    })

    it('deleting and restoring give their instant in the query', async () => {
      const habit = await add('Query', { at: '2026-11-20T10:00:00.000Z' })
      const url = `/api/habits/${habit.id}`
      expect((await ask('DELETE', `${url}?at=2026-11-20T10:02:00.000Z`)).status).toBe(200)
      expect((await ask('POST', `${url}/restore?at=2026-11-20T10:01:00.000Z`)).status).toBe(404)
      expect((await ask('POST', `${url}/restore?at=2026-11-20T10:03:00.000Z`)).status).toBe(200)
    })
  })

  it("someone else's habit does not exist for any call", async () => {
    const habit = await add("Ada's")
    const before = await complete(habit)
    const askAsBob = (method: string, path: string, body?: unknown) =>
      daymark.ask(method, path, { body, cookie: bob.cookie })
    expect(await statuses(askAsBob, habit.id)).toEqual([404, 404, 404, 404])
    expect((await askAsBob('DELETE', `/api/habits/${habit.id}`)).status).toBe(404)
    expect((await askAsBob('POST', `/api/habits/${habit.id}/restore`)).status).toBe(404)
    const { body } = await ask('GET', '/api/habits')
    expect(body.habits).toContainEqual(before)
  })

  it.each(['nope', '7', id(9).replace('-7', '-4'), '%00', '%ff', id(404)])(
    'an address that names no habit is a 404: %s',
    async (path) => {
      expect(await statuses(ask, path)).toEqual([404, 404, 404, 404])
      expect((await ask('DELETE', `/api/habits/${path}`)).status).toBe(404)
      expect((await ask('POST', `/api/habits/${path}/restore`)).status).toBe(404)
    },
  )
})

type Ask = (method: string, path: string, body?: unknown) => Promise<{ status: number }>

/** The responses to changing a habit, completing it, reading its days and undoing them. */
async function statuses(ask: Ask, habit: string): Promise<number[]> {
  const url = `/api/habits/${habit}`
  const range = 'from=2026-11-01&to=2026-11-30'
  const asked = [
    await ask('PUT', url, { name: 'Mine' }),
    await ask('POST', `${url}/complete`),
    await ask('GET', `${url}/completions?${range}`),
    await ask('DELETE', `${url}/completions?${range}`),
  ]
  return asked.map(({ status }) => status)
}
