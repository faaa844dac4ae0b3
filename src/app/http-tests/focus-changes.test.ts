import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type Application, openApplication, type Person } from '../testing/application.ts'

const noon = Date.parse('2026-11-20T12:00:00.000Z')
const id = '01900000-0000-7000-8000-000000000001'
const todo_id = '01900000-0000-7000-8000-0000000000aa'
const habit_id = '01900000-0000-7000-8000-0000000000bb'
const at = (time: string) => `2026-11-20T${time}:00.000Z`

describeEachEngine('correcting focus sessions', (openEmpty) => {
  let daymark: Application
  let ada: Person
  let people = 0
  beforeAll(async () => {
    daymark = openApplication(await openEmpty(), { clock: () => noon })
  })
  beforeEach(async () => {
    people += 1
    ada = await daymark.signUp(`Ada${people}`)
  })

  const ask = (method: string, path: string, body?: unknown) =>
    daymark.ask(method, path, { body, cookie: ada.cookie })
  const listed = async () => (await ask('GET', '/api/focus?from=2026-11-01')).body.sessions
  const add = async (more: object = {}) => {
    const body = {
      id,
      duration: 1_500,
      started_at: at('10:00'),
      ended_at: at('10:25'),
      at: at('10:00'),
      ...more,
    }
    const asked = await ask('POST', '/api/focus', body)
    expect(asked.status, JSON.stringify(asked.body)).toBeLessThan(300)
    return asked.body.session
  }
  const change = async (changes: object) => {
    const asked = await ask('PUT', `/api/focus/${id}`, changes)
    expect(asked.status, JSON.stringify(asked.body)).toBe(200)
    return asked.body.session
  }

  it('a session says what it was about, and can be about something else later', async () => {
    expect(await add({ kind: 'countdown', todo_id })).toMatchObject({
      kind: 'countdown',
      todo_id,
      habit_id: null,
    })
    expect(await change({ habit_id })).toMatchObject({ todo_id: null, habit_id, duration: 1_500 })
    expect(await change({ habit_id: null })).toMatchObject({ todo_id: null, habit_id: null })
    expect(await listed()).toMatchObject([{ id, todo_id: null, habit_id: null }])
  })

  it('its time can be corrected: the days follow, and its subject stays', async () => {
    await add({ kind: 'hand', todo_id })
    expect(await change({ duration: 1_200 })).toMatchObject({
      todo_id,
      duration: 1_200,
      started_at: at('10:00'),
      ended_at: at('10:20'),
      days: [{ day: '2026-11-20', seconds: 1_200 }],
    })
    const night = { started_at: '2026-11-18T23:50:00.000Z', ended_at: '2026-11-19T00:20:00.000Z' }
    expect(await change({ duration: 1_800, ...night })).toMatchObject({
      ...night,
      days: [
        { day: '2026-11-18', seconds: 600 },
        { day: '2026-11-19', seconds: 1_200 },
      ],
    })
    const completed = await ask('GET', '/api/focus/completed?from=2026-11-18&to=2026-11-20')
    expect(completed.body).toMatchObject({
      count: 1,
      seconds: 1_800,
      days: [{ count: 0 }, { count: 1 }, { seconds: 0 }],
    })
  })

  it('time and subject each keep their instant: of two changes the later stands, whichever arrives first', async () => {
    await add({ kind: 'hand' })
    await change({ duration: 600, at: at('11:30') })
    await change({ todo_id, at: at('11:10') })
    expect(await change({ duration: 900, habit_id, at: at('11:20') })).toMatchObject({
      duration: 600,
      todo_id: null,
      habit_id,
      days: [{ seconds: 600 }],
    })
    expect(await change({ todo_id, at: at('11:15') })).toMatchObject({ habit_id })
  })

  it('what was corrected stays when a device that knows phases tells the session later', async () => {
    await add()
    await change({ duration: 1_200, at: at('10:30') })
    await change({ habit_id, at: at('10:31') })
    await add({ kind: 'countdown', at: at('10:00') })
    const days = [{ day: '2026-11-20', seconds: 1_200 }]
    expect(await listed()).toMatchObject([{ kind: 'countdown', duration: 1_200, habit_id, days }])
  })

  it('a deleted session that another device tells comes back whole', async () => {
    await add()
    await ask('DELETE', `/api/focus/${id}`, { at: at('10:40') })
    const told = { kind: 'countdown', duration: 3_000, ended_at: at('10:50'), at: at('10:00') }
    await ask('POST', '/api/focus', { id, started_at: at('10:00'), ...told })
    await ask('POST', `/api/focus/${id}/restore`, { at: at('10:45') })
    const [session] = await listed()
    expect(session.days).toEqual([{ day: '2026-11-20', seconds: session.duration }])
  })

  it('a change that was made after a deletion brings the session back, and one made before is stored', async () => {
    await add({ kind: 'hand' })
    await ask('DELETE', `/api/focus/${id}?at=${at('11:00')}`)
    expect(await ask('PUT', `/api/focus/${id}`, { todo_id, at: at('10:59') })).toMatchObject({ status: 404 })
    expect(await listed()).toEqual([])
    expect(await change({ duration: 600, at: at('11:01') })).toMatchObject({ todo_id, duration: 600 })
    expect(await listed()).toMatchObject([{ id, duration: 600 }])
  })

  it.each([
    ['nothing', {}, 'duration'],
    ['a start without a duration', { started_at: at('10:00') }, 'duration'],
    ['a task and a habit', { todo_id, habit_id }, 'habit_id'],
    [
      'more time than there was',
      { duration: 1_501, started_at: at('10:00'), ended_at: at('10:25') },
      'ended_at',
    ],
    ['days that do not add up', { duration: 60, days: [{ day: '2026-11-20', seconds: 61 }] }, 'days'],
    ['no seconds', { duration: 0 }, 'duration'],
    ['a subject that is no id', { todo_id: 'seven' }, 'todo_id'],
  ])('refuses %s, and changes nothing', async (_, changes, field) => {
    const session = await add({ kind: 'hand' })
    expect(await ask('PUT', `/api/focus/${id}`, changes)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', fields: { [field]: expect.any(String) } },
    })
    expect(await listed()).toEqual([session])
  })

  it('nobody changes what is not theirs, or not there', async () => {
    await add({ kind: 'hand' })
    const eve = await daymark.signUp(`Eve${people}`)
    const asked = await daymark.ask('PUT', `/api/focus/${id}`, { body: { todo_id }, cookie: eve.cookie })
    expect(asked.status).toBe(404)
    expect((await ask('PUT', `/api/focus/${todo_id}`, { todo_id })).status).toBe(404)
  })

  describe('the session of a run', () => {
    const byTimer = { kind: 'countdown' }

    it('is what the timer says last: a later press replaces what was recorded of an earlier one', async () => {
      await add({ ...byTimer, at: at('10:00') })
      expect(
        await add({ ...byTimer, duration: 600, ended_at: at('10:10'), todo_id, at: at('10:10') }),
      ).toMatchObject({
        duration: 600,
        todo_id,
        days: [{ seconds: 600 }],
      })
      expect(await add({ ...byTimer, at: at('10:00') })).toMatchObject({ duration: 600 })
      expect(await listed()).toMatchObject([{ duration: 600, todo_id }])
    })

    it('is the same in the other order', async () => {
      await add({ ...byTimer, duration: 600, ended_at: at('10:10'), todo_id, at: at('10:10') })
      expect(await add({ ...byTimer, at: at('10:00') })).toMatchObject({ duration: 600, todo_id })
    })

    it('sent twice is recorded once', async () => {
      const session = await add({ ...byTimer })
      expect(await add({ ...byTimer })).toEqual(session)
      expect(await listed()).toEqual([session])
    })

    it('that was corrected by hand stays so, unless the timer goes on later', async () => {
      await add({ ...byTimer })
      await change({ duration: 60, at: at('10:30') })
      expect(await add({ ...byTimer, duration: 900, ended_at: at('10:15'), at: at('10:29') })).toMatchObject({
        duration: 60,
      })
      expect(await add({ ...byTimer, duration: 900, ended_at: at('10:15'), at: at('10:31') })).toMatchObject({
        duration: 900,
      })
    })

    it('that was deleted stays deleted when it is sent again, and comes back if the timer went on later', async () => {
      await add({ ...byTimer })
      await ask('DELETE', `/api/focus/${id}?at=${at('10:30')}`)
      expect(
        (await ask('POST', '/api/focus', { id, ...byTimer, duration: 60, at: at('10:00') })).status,
      ).toBe(404)
      expect(await listed()).toEqual([])
      await add({ ...byTimer, at: at('10:40') })
      expect(await listed()).toMatchObject([{ duration: 1_500 }])
    })
  })

  describe('the total of a day', () => {
    const total = { kind: 'total', duration: 5_400, days: [{ day: '2026-11-18', seconds: 5_400 }], habit_id }

    it('has no start, adds its seconds to the day, and counts as no session', async () => {
      const asked = await ask('POST', '/api/focus', total)
      expect(asked).toMatchObject({
        status: 201,
        body: {
          session: { kind: 'total', started_at: null, ended_at: '2026-11-19T00:00:00.000Z', habit_id },
        },
      })
      expect(await listed()).toMatchObject([{ kind: 'total', started_at: null }])
      const completed = await ask('GET', '/api/focus/completed?from=2026-11-18&to=2026-11-18')
      expect(completed.body).toEqual({
        count: 0,
        seconds: 5_400,
        days: [{ day: '2026-11-18', count: 0, seconds: 5_400 }],
      })
    })

    it('can be corrected, and stays on its day', async () => {
      await ask('POST', '/api/focus', { ...total, id })
      expect(await change({ duration: 60 })).toMatchObject({
        started_at: null,
        duration: 60,
        days: [{ day: '2026-11-18', seconds: 60 }],
      })
    })

    it.each([
      ['without its day', { kind: 'total', duration: 60 }, 'days'],
      ['with a start', { ...total, started_at: at('08:00') }, 'started_at'],
      [
        'of a day that is not over anywhere',
        { ...total, days: [{ day: '2026-11-22', seconds: 5_400 }] },
        'days',
      ],
    ])('is refused %s', async (_, body, field) => {
      expect(await ask('POST', '/api/focus', body)).toMatchObject({
        status: 400,
        body: { fields: { [field]: expect.any(String) } },
      })
    })

    it('keeps to one day when it is corrected', async () => {
      await ask('POST', '/api/focus', { ...total, id })
      const days = [
        { day: '2026-11-17', seconds: 30 },
        { day: '2026-11-18', seconds: 30 },
      ]
      expect((await ask('PUT', `/api/focus/${id}`, { duration: 60, days })).status).toBe(400)
    })
  })
})
