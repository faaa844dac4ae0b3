import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type Application, openApplication, type Person } from '../testing/application.ts'

// A Friday.
const noon = Date.parse('2026-11-20T12:00:00.000Z')
const nowhere = '01900000-0000-7000-8000-000000000404'

describeEachEngine('the focus session API', (openEmpty) => {
  let daymark: Application
  let ada: Person
  let bob: Person
  let now = noon
  beforeAll(async () => {
    daymark = openApplication(await openEmpty(), { clock: () => now })
    ada = await daymark.signUp('Ada')
    bob = await daymark.signUp('Bob')
  })
  // Each test begins without sessions, and in UTC.
  beforeEach(async () => {
    now = noon
    await live('UTC')
    for (const { id } of await list('?from=1900-01-01')) await ask('DELETE', `/api/focus/${id}`)
  })

  const ask = (method: string, path: string, body?: unknown) =>
    daymark.ask(method, path, { body, cookie: ada.cookie })
  const add = async (body: object) => {
    const asked = await ask('POST', '/api/focus', body)
    expect(asked).toMatchObject({ status: 201 })
    return asked.body.session
  }
  /** An unused id, larger than all before it. */
  let ids = 0
  const newId = () => {
    ids += 1
    return `01900000-0000-7000-8000-${String(ids).padStart(12, '0')}`
  }
  const live = (time_zone: string, day_start = 0) =>
    ask('PATCH', '/api/preferences', { time_zone, day_start })
  const list = async (query = '') => (await ask('GET', `/api/focus${query}`)).body.sessions
  const completed = async (query = '') => (await ask('GET', `/api/focus/completed${query}`)).body
  const used = async (query = '') => {
    const { days } = await completed(query)
    return days.filter(({ count, seconds }: { count: number; seconds: number }) => count > 0 || seconds > 0)
  }

  describe('POST /api/focus', () => {
    it('records {duration} as a session that ends now, and responds with it as JSON', async () => {
      const asked = await ask('POST', '/api/focus', { duration: 1_500 })
      expect(asked.status).toBe(201)
      expect(asked.body).toEqual({
        session: {
          id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7/),
          kind: 'countdown',
          todo_id: null,
          habit_id: null,
          duration: 1_500,
          started_at: '2026-11-20T11:35:00.000Z',
          ended_at: '2026-11-20T12:00:00.000Z',
          days: [{ day: '2026-11-20', seconds: 1_500 }],
        },
      })
      expect(await list()).toEqual([asked.body.session])
    })

    it('a missing start or end follows from the duration', async () => {
      expect(await add({ duration: 60, started_at: '2026-11-19T10:00:00Z' })).toMatchObject({
        ended_at: '2026-11-19T10:01:00.000Z',
        days: [{ day: '2026-11-19', seconds: 60 }],
      })
      expect(await add({ duration: 60, ended_at: '2026-11-18T10:00:00Z' })).toMatchObject({
        started_at: '2026-11-18T09:59:00.000Z',
        days: [{ day: '2026-11-18', seconds: 60 }],
      })
    })

    it('a session recorded offline ended when it was recorded, not when it arrives', async () => {
      expect(await add({ duration: 60, at: '2026-11-17T10:00:00Z' })).toMatchObject({
        ended_at: '2026-11-17T10:00:00.000Z',
        days: [{ day: '2026-11-17', seconds: 60 }],
      })
    })

    it('the same id sent twice exists once: 201, then 200 with what is stored', async () => {
      const id = newId()
      const first = await ask('POST', '/api/focus', { duration: 60, id })
      now += 60_000
      const second = await ask('POST', '/api/focus', { duration: 90, id })
      expect([first.status, second.status]).toEqual([201, 200])
      expect(second.body).toEqual(first.body)
      expect(await list()).toEqual([first.body.session])
      expect(await completed()).toMatchObject({ count: 1, seconds: 60 })
    })

    it('accepts one second and a whole day', async () => {
      expect(await add({ duration: 1 })).toMatchObject({ days: [{ day: '2026-11-20', seconds: 1 }] })
      expect(await add({ duration: 86_400 })).toMatchObject({
        started_at: '2026-11-19T12:00:00.000Z',
        days: [
          { day: '2026-11-19', seconds: 43_200 },
          { day: '2026-11-20', seconds: 43_200 },
        ],
      })
    })

    it.each([
      ['no duration', {}, 'duration', 'Expected whole seconds'],
      ['a duration as text', { duration: '60' }, 'duration', 'Expected whole seconds'],
      ['half a second', { duration: 0.5 }, 'duration', 'Expected whole seconds'],
      ['no second', { duration: 0 }, 'duration', 'Expected at least one second'],
      ['less than none', { duration: -60 }, 'duration', 'Expected at least one second'],
      ['more than a day', { duration: 86_401 }, 'duration', 'Expected at most 86,400 seconds'],
      ['an id that is no UUIDv7', { duration: 60, id: '7' }, 'id', 'Expected a UUIDv7 or UUIDv8'],
      ['an instant that is none', { duration: 60, started_at: 'today' }, 'started_at', expect.any(String)],
      [
        'an instant of a zone',
        { duration: 60, ended_at: '2026-11-20T10:00' },
        'ended_at',
        expect.any(String),
      ],
      [
        'an end before its start',
        { duration: 60, started_at: '2026-11-20T10:00:00Z', ended_at: '2026-11-20T09:00:00Z' },
        'ended_at',
        "A session can't be shorter than its duration",
      ],
      [
        'an end before its seconds are over',
        { duration: 60, started_at: '2026-11-20T10:00:00Z', ended_at: '2026-11-20T10:00:59.999Z' },
        'ended_at',
        "A session can't be shorter than its duration",
      ],
      [
        'a start before 1900',
        { duration: 60, started_at: '1899-12-31T12:00:00Z' },
        'started_at',
        'Expected a session from 1900 on',
      ],
      [
        'an end before 1900',
        { duration: 60, ended_at: '0001-01-01T00:00:00Z' },
        'ended_at',
        'Expected a session from 1900 on',
      ],
      [
        'pauses of more than a week without saying when',
        { duration: 60, started_at: '2026-11-13T11:59:59.999Z', ended_at: '2026-11-20T12:00:00Z' },
        'started_at',
        'A session longer than 7 days must include its days',
      ],
    ])('refuses %s, and says so at its field', async (_, body, field, message) => {
      expect(await ask('POST', '/api/focus', body)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', fields: { [field]: message } },
      })
      expect(await list('?from=1900-01-01')).toEqual([])
    })

    it('accepts a start at the beginning of 1900, wherever somebody lives', async () => {
      await live('Pacific/Pago_Pago', 360)
      expect(await add({ duration: 60, started_at: '1900-01-02T00:00:00Z' })).toMatchObject({
        days: [{ day: '1900-01-01', seconds: 60 }],
      })
    })

    it('a session from a fast clock is moved back to end now', async () => {
      const asked = await add({
        duration: 60,
        started_at: '2031-01-01T00:00:00Z',
        ended_at: '2031-01-01T00:10:00Z',
      })
      expect(asked).toMatchObject({
        started_at: '2026-11-20T11:50:00.000Z',
        ended_at: '2026-11-20T12:00:00.000Z',
        days: [{ day: '2026-11-20', seconds: 60 }],
      })
      expect(await add({ duration: 60, started_at: '2026-11-20T11:59:30Z' })).toMatchObject({
        started_at: '2026-11-20T11:59:00.000Z',
        ended_at: '2026-11-20T12:00:00.000Z',
      })
      const eons = { duration: 60, started_at: '1990-01-01T00:00:00Z', ended_at: '9999-12-31T23:59:59Z' }
      expect(await ask('POST', '/api/focus', eons)).toMatchObject({ status: 400 })
    })
  })

  describe('a session across a day boundary', () => {
    const overMidnight = { started_at: '2026-11-19T23:50:00Z', ended_at: '2026-11-20T00:15:00Z' }

    it('counts on both days at midnight', async () => {
      const session = await add({ duration: 1_500, ...overMidnight })
      expect(session.days).toEqual([
        { day: '2026-11-19', seconds: 600 },
        { day: '2026-11-20', seconds: 900 },
      ])
      expect(await used()).toEqual([
        { day: '2026-11-19', count: 0, seconds: 600 },
        { day: '2026-11-20', count: 1, seconds: 900 },
      ])
    })

    it.each([
      ['where it is no midnight', 'Asia/Kolkata', 0, { '2026-11-20': 1_500 }],
      ['where it is midnight an hour later', 'Atlantic/Azores', 0, { '2026-11-19': 1_500 }],
      ['for somebody whose day starts at 3', 'UTC', 180, { '2026-11-19': 1_500 }],
      [
        'for somebody whose day starts at 1 where it is 1',
        'Europe/Berlin',
        60,
        { '2026-11-19': 600, '2026-11-20': 900 },
      ],
      ['for somebody whose day starts at 00:05', 'UTC', 5, { '2026-11-19': 900, '2026-11-20': 600 }],
    ])("%s: the days are the person's own", async (_, zone, dayStart, days) => {
      await live(zone, dayStart)
      const session = await add({ duration: 1_500, ...overMidnight })
      expect(Object.fromEntries(session.days.map(Object.values))).toEqual(days)
      expect(Object.fromEntries((await used()).map(({ day, seconds }: Spent) => [day, seconds]))).toEqual(
        days,
      )
    })

    it('when clocks go forward, a skipped day start is at the instant to which they jump', async () => {
      await live('Europe/Copenhagen', 150)
      // 01:50 to 03:10 on the local clock that night: twenty minutes.
      const session = await add({ duration: 1_200, started_at: '2026-03-29T00:50:00Z' })
      expect(session.days).toEqual([
        { day: '2026-03-28', seconds: 600 },
        { day: '2026-03-29', seconds: 600 },
      ])
      expect(await used('?from=2026-03-28&to=2026-03-29')).toEqual([
        { day: '2026-03-28', count: 0, seconds: 600 },
        { day: '2026-03-29', count: 1, seconds: 600 },
      ])
    })

    it('when clocks go back, the hour between 2 and 3 comes twice and counts twice', async () => {
      await live('Europe/Copenhagen')
      // From one midnight to the next on the local clock.
      const day = { started_at: '2026-10-24T22:00:00Z', ended_at: '2026-10-25T23:00:00Z' }
      expect(await add({ duration: 86_400, ...day })).toMatchObject({
        days: [{ day: '2026-10-25', seconds: 86_400 }],
      })
      // 02:20 to 02:40 an hour later, with a day start at 02:30: the day starts twice.
      await live('Europe/Copenhagen', 150)
      const twice = await add({ duration: 4_800, started_at: '2026-10-25T00:20:00Z' })
      expect(twice.days).toEqual([
        { day: '2026-10-24', seconds: 600 + 1_800 },
        { day: '2026-10-25', seconds: 1_800 + 600 },
      ])
    })

    it('with unreported pauses, the seconds are spread like the whole time, and none is lost', async () => {
      const night = { started_at: '2026-11-19T22:00:00Z', ended_at: '2026-11-20T06:00:00Z' }
      expect((await add({ duration: 4_000, ...night })).days).toEqual([
        { day: '2026-11-19', seconds: 1_000 },
        { day: '2026-11-20', seconds: 3_000 },
      ])
      const week = { started_at: '2026-11-13T12:00:00Z', ended_at: '2026-11-20T12:00:00Z' }
      expect((await add({ duration: 100, ...week })).days.map(({ seconds }: Spent) => seconds)).toEqual([
        7, 14, 14, 15, 14, 14, 14, 8,
      ])
      expect((await add({ duration: 1, ...week })).days).toEqual([{ day: '2026-11-20', seconds: 1 }])
    })

    it('never moves: another zone or day start leaves it on its days', async () => {
      const session = await add({ duration: 1_500, ...overMidnight })
      const before = await completed()
      for (const [zone, dayStart] of [
        ['Pacific/Pago_Pago', 360],
        ['America/New_York', 0],
        ['Asia/Tokyo', 180],
      ] as const) {
        await live(zone, dayStart)
        expect(await list('?from=2026-11-01')).toEqual([session])
        expect(await completed('?from=2026-10-22&to=2026-11-20')).toEqual(before)
        expect(
          (await ask('POST', '/api/focus', { duration: 1_500, ...overMidnight, id: session.id })).body,
        ).toEqual({
          session,
        })
      }
    })
  })

  describe('days sent by the client', () => {
    const span = { started_at: '2026-11-17T20:00:00Z', ended_at: '2026-11-19T20:00:00Z' }

    it('are stored as sent, and returned in order', async () => {
      const days = [
        { day: '2026-11-19', seconds: 10 },
        { day: '2026-11-17', seconds: 20 },
        { day: '2026-11-18', seconds: 30 },
      ]
      const session = await add({ duration: 60, ...span, days })
      const inOrder = [
        { day: '2026-11-17', seconds: 20 },
        { day: '2026-11-18', seconds: 30 },
        { day: '2026-11-19', seconds: 10 },
      ]
      expect(session).toMatchObject({ days: inOrder })
      expect(await list()).toEqual([session])
      expect(await used()).toEqual([
        { day: '2026-11-17', count: 0, seconds: 20 },
        { day: '2026-11-18', count: 0, seconds: 30 },
        { day: '2026-11-19', count: 1, seconds: 10 },
      ])
    })

    it('may be any day that it was somewhere on earth, with any day start', async () => {
      const short = { started_at: '2026-11-19T17:59:00Z', ended_at: '2026-11-19T18:00:00Z' }
      const on = (day: string) =>
        ask('POST', '/api/focus', { duration: 60, ...short, days: [{ day, seconds: 60 }] })
      expect((await on('2026-11-18')).status).toBe(201)
      expect((await on('2026-11-19')).status).toBe(201)
      expect((await on('2026-11-20')).status).toBe(201)
      expect((await on('2026-11-17')).status).toBe(400)
      expect((await on('2026-11-21')).status).toBe(400)
    })

    it('may be 366, for a timer that was paused for a year', async () => {
      const year = { started_at: '2025-11-19T12:00:00Z', ended_at: '2026-11-20T12:00:00Z' }
      const first = Date.UTC(2025, 10, 20)
      const days = Array.from({ length: 366 }, (_, number) => ({
        day: new Date(first + number * 86_400_000).toISOString().slice(0, 10),
        seconds: 2,
      }))
      const session = await add({ duration: 732, ...year, days })
      expect(session.days).toEqual(days)
      expect(await list('?from=2025-11-20&to=2025-11-20')).toEqual([session])
      const more = [{ day: '2025-11-19', seconds: 2 }, ...days]
      expect(await ask('POST', '/api/focus', { duration: 734, ...year, days: more })).toMatchObject({
        status: 400,
        body: { fields: { days: 'Expected at most 366 days' } },
      })
    })

    it('a session on a day that has begun in Kiribati is accepted and listed; one on the day after is not', async () => {
      const on = (day: string) => ask('POST', '/api/focus', { duration: 60, days: [{ day, seconds: 60 }] })
      expect((await on('2026-11-21')).status).toBe(201)
      expect(await on('2026-11-22')).toMatchObject({
        status: 400,
        body: { fields: { days: "One of these days isn't part of the session in any time zone." } },
      })
      expect(await list()).toMatchObject([{ days: [{ day: '2026-11-21', seconds: 60 }] }])
    })

    it('days in the future, from a fast clock, are split again where the session is moved to', async () => {
      const ahead = { started_at: '2027-03-01T23:50:00Z', ended_at: '2027-03-02T00:15:00Z' }
      const days = [
        { day: '2027-03-01', seconds: 600 },
        { day: '2027-03-02', seconds: 900 },
      ]
      expect(await add({ duration: 1_500, ...ahead, days })).toMatchObject({
        started_at: '2026-11-20T11:35:00.000Z',
        ended_at: '2026-11-20T12:00:00.000Z',
        days: [{ day: '2026-11-20', seconds: 1_500 }],
      })
    })

    it.each([
      ['none', [], 'days', 'Expected at least one day'],
      [
        'fewer seconds than the session',
        [{ day: '2026-11-19', seconds: 59 }],
        'days',
        expect.stringMatching(/add up/),
      ],
      [
        'more seconds than the session',
        [{ day: '2026-11-19', seconds: 61 }],
        'days',
        expect.stringMatching(/add up/),
      ],
      [
        'the same day twice',
        [
          { day: '2026-11-19', seconds: 30 },
          { day: '2026-11-19', seconds: 30 },
        ],
        'days',
        'Expected each day once',
      ],
      [
        'a day before it began',
        [{ day: '2026-11-15', seconds: 60 }],
        'days',
        expect.stringMatching(/any time zone/),
      ],
      [
        'a day after it ended',
        [{ day: '2026-11-21', seconds: 60 }],
        'days',
        expect.stringMatching(/any time zone/),
      ],
      ['a day that is none', [{ day: '2026-02-29', seconds: 60 }], 'days.0.day', expect.any(String)],
      [
        'parts of a second',
        [{ day: '2026-11-19', seconds: 59.5 }],
        'days.0.seconds',
        'Expected whole seconds',
      ],
      [
        'a day without a second',
        [
          { day: '2026-11-18', seconds: 60 },
          { day: '2026-11-19', seconds: 0 },
        ],
        'days.1.seconds',
        'Expected at least one second',
      ],
      ['no list', '2026-11-19', 'days', expect.any(String)],
    ])('refuses %s', async (_, days, field, message) => {
      expect(await ask('POST', '/api/focus', { duration: 60, ...span, days })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', fields: { [field]: message } },
      })
      expect(await list()).toEqual([])
    })
  })

  describe('GET /api/focus', () => {
    const at = async (ended_at: string): Promise<string> =>
      (await add({ duration: 60, ended_at, id: newId() })).id
    const listed = async (query?: string) => (await list(query)).map(({ id }: { id: string }) => id)

    it('answers an object with a sessions array, the latest end first, then the larger id', async () => {
      const first = await at('2026-11-18T10:00:00Z')
      const last = await at('2026-11-20T10:00:00Z')
      const second = await at('2026-11-18T10:00:00Z')
      const third = await at('2026-11-19T10:00:00Z')
      expect(await listed()).toEqual([last, third, second, first])
    })

    it('covers the last 30 days without a range, and 30 days if only its end is given', async () => {
      const justBefore = await at('2026-10-21T23:59:59Z')
      const within = await at('2026-10-22T00:01:00Z')
      const longBefore = await at('2026-09-22T00:02:00Z')
      expect(await listed()).toEqual([within])
      expect(await listed('?to=2026-10-21')).toEqual([justBefore, longBefore])
      expect(await listed('?from=2026-10-21')).toEqual([within, justBefore])
    })

    it('lists a whole session if any of its seconds are in the range, both ends included', async () => {
      const session = await add({ duration: 1_500, started_at: '2026-11-17T23:50:00Z' })
      for (const query of ['?from=2026-11-17&to=2026-11-17', '?from=2026-11-18&to=2026-11-18'])
        expect(await list(query)).toEqual([session])
      expect(await list('?from=2026-11-19&to=2026-11-20')).toEqual([])
      expect(await list('?from=2026-11-10&to=2026-11-16')).toEqual([])
      expect(await list('?from=1900-01-01&to=9999-12-31')).toEqual([session])
    })

    it.each(['/api/focus', '/api/focus/completed'])(
      '%s responds with 400 if the range is invalid',
      async (path) => {
        for (const [query, field] of [
          ['from=2026-11-05&to=2026-11-02', 'to'],
          ['from=2026-13-01', 'from'],
          ['to=yesterday', 'to'],
        ] as const) {
          expect(await ask('GET', `${path}?${query}`)).toMatchObject({
            status: 400,
            body: { code: 'INVALID_INPUT', fields: { [field]: expect.any(String) } },
          })
        }
      },
    )
  })

  describe('GET /api/focus/completed', () => {
    it('lists every day of the last 30 without a range, zeros included', async () => {
      const { count, seconds, days } = await completed()
      expect([count, seconds, days.length]).toEqual([0, 0, 30])
      expect(days.at(0)).toEqual({ day: '2026-10-22', count: 0, seconds: 0 })
      expect(days.at(-1)).toEqual({ day: '2026-11-20', count: 0, seconds: 0 })
    })

    it('a session counts once, on its last day; its seconds count on the day they fall on', async () => {
      await add({ duration: 1_500, started_at: '2026-11-18T23:50:00Z' })
      await add({ duration: 100, ended_at: '2026-11-19T10:00:00Z' })
      await add({ duration: 10 })
      expect(await completed('?from=2026-11-17&to=2026-11-20')).toEqual({
        count: 3,
        seconds: 1_610,
        days: [
          { day: '2026-11-17', count: 0, seconds: 0 },
          { day: '2026-11-18', count: 0, seconds: 600 },
          { day: '2026-11-19', count: 2, seconds: 1_000 },
          { day: '2026-11-20', count: 1, seconds: 10 },
        ],
      })
      expect(await completed('?from=2026-11-18&to=2026-11-18')).toMatchObject({ count: 0, seconds: 600 })
    })

    it('refuses a range of more than ten years', async () => {
      expect((await ask('GET', '/api/focus/completed?from=2010-01-01')).status).toBe(400)
    })
  })

  describe('a deleted session', () => {
    it('DELETE /api/focus/{id} removes it from every list and total, and a second time finds nothing', async () => {
      const session = await add({ duration: 60 })
      expect(await ask('DELETE', `/api/focus/${session.id}`)).toMatchObject({
        status: 200,
        body: { success: true },
      })
      expect(await ask('DELETE', `/api/focus/${session.id}`)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      })
      expect(await list()).toEqual([])
      expect(await completed()).toMatchObject({ count: 0, seconds: 0 })
    })

    it('cannot be recorded again', async () => {
      const { id } = await add({ duration: 60 })
      await ask('DELETE', `/api/focus/${id}`)
      expect((await ask('POST', '/api/focus', { duration: 60, id })).status).toBe(404)
    })

    it('is restored as it was, without a body', async () => {
      const session = await add({ duration: 1_500, started_at: '2026-11-18T23:50:00Z' })
      const before = await completed()
      await ask('DELETE', `/api/focus/${session.id}`)
      for (let time = 0; time < 2; time++) {
        const asked = await ask('POST', `/api/focus/${session.id}/restore`)
        expect(asked).toMatchObject({ status: 200, body: { session } })
      }
      expect(await list()).toEqual([session])
      expect(await completed()).toEqual(before)
    })

    it('deleting and restoring give their instant in the query, and the later one wins', async () => {
      const { id } = await add({ duration: 60, at: '2026-11-20T10:00:00Z' })
      const url = `/api/focus/${id}`
      expect((await ask('DELETE', `${url}?at=2026-11-20T10:02:00Z`)).status).toBe(200)
      expect((await ask('POST', `${url}/restore?at=2026-11-20T10:01:00Z`)).status).toBe(404)
      expect((await ask('POST', `${url}/restore?at=2026-11-20T10:03:00Z`)).status).toBe(200)
      expect((await ask('DELETE', `${url}?at=2026-11-20T10:02:30Z`)).status).toBe(200)
      expect(await list()).toMatchObject([{ id }])
    })
  })

  it("someone else's session does not exist for any call, and the same id can be used again", async () => {
    const session = await add({ duration: 60 })
    const deleted = await add({ duration: 90 })
    await ask('DELETE', `/api/focus/${deleted.id}`)
    const askAsBob = (method: string, path: string, body?: unknown) =>
      daymark.ask(method, path, { body, cookie: bob.cookie })
    for (const { id } of [session, deleted]) {
      expect((await askAsBob('DELETE', `/api/focus/${id}`)).status).toBe(404)
      expect((await askAsBob('POST', `/api/focus/${id}/restore`)).status).toBe(404)
    }
    expect((await askAsBob('GET', '/api/focus')).body).toEqual({ sessions: [] })
    expect((await askAsBob('GET', '/api/focus/completed')).body).toMatchObject({ count: 0, seconds: 0 })

    expect((await askAsBob('POST', '/api/focus', { duration: 30, id: session.id })).status).toBe(201)
    expect((await askAsBob('DELETE', `/api/focus/${session.id}`)).status).toBe(200)
    expect(await list()).toEqual([session])
    expect(await completed()).toMatchObject({ count: 1, seconds: 60 })
  })

  it.each(['nope', '7', nowhere.replace('-7', '-4'), '%00', '%ff', nowhere])(
    'an address that names no session is a 404: %s',
    async (path) => {
      expect((await ask('DELETE', `/api/focus/${path}`)).status).toBe(404)
      expect((await ask('POST', `/api/focus/${path}/restore`)).status).toBe(404)
    },
  )
})

interface Spent {
  day: string
  seconds: number
}
