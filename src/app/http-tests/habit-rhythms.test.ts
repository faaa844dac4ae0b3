import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type Application, openApplication, type Person } from '../testing/application.ts'

// A Friday.
const noon = Date.parse('2026-11-20T12:00:00.000Z')
const today = '2026-11-20'
const id = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
const water = { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' }
const coffee = { at: 'most', amount: 2_000, unit: 'cups', per: 'day' }

describeEachEngine('habits that fit a life', (openEmpty) => {
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
  const add = async (more: object = {}) => {
    const habit = { name: 'Habit', start_date: '2026-11-01', ...more }
    return (await ask('POST', '/api/habits', habit)).body.habit
  }
  const edit = async (habit: { id: string }, change: object) =>
    (await ask('PUT', `/api/habits/${habit.id}`, change)).body.habit
  const toggle = async (habit: { id: string }, body?: object) =>
    (await ask('POST', `/api/habits/${habit.id}/complete`, body)).body.habit
  const say = async (habit: { id: string }, day: string, change: object) =>
    (await ask('PUT', `/api/habits/${habit.id}/days/${day}`, change)).body.habit
  const enter = async (habit: { id: string }, entry: object) =>
    ask('POST', `/api/habits/${habit.id}/amounts`, { day: today, ...entry })
  const daysOf = async (habit: { id: string }, from: string, to: string) =>
    (await ask('GET', `/api/habits/${habit.id}/days?from=${from}&to=${to}`)).body.days
  const statesOf = async (habit: { id: string }, from: string, to: string) =>
    (await daysOf(habit, from, to)).map(({ state }: { state: string }) => state)
  const listed = async (habit: { id: string }) =>
    (await ask('GET', '/api/habits')).body.habits.find((each: { id: string }) => each.id === habit.id)

  describe('a rhythm and a target', () => {
    it('of a new habit hold from its start day, and the first row for all days before it', async () => {
      const habit = await add({ rhythm: { times: 3, per: 'week' }, target: water })
      expect(habit).toMatchObject({
        frequency: 'weekly',
        rhythm: { times: 3, per: 'week' },
        target: water,
        rhythms: [{ from_day: '2026-11-01', rhythm: { times: 3, per: 'week' }, target: water }],
      })
    })

    it('Daily and Weekly are what a habit with only a frequency has', async () => {
      expect(await add()).toMatchObject({ frequency: 'daily', rhythm: { every: 1 }, target: 'yes' })
      const weekly = await add({ frequency: 'weekly' })
      expect(weekly).toMatchObject({ rhythm: { times: 1, per: 'week' }, target: 'yes' })
    })

    it('rhythm wins over frequency in one call', async () => {
      const habit = await add({ rhythm: { every: 3 }, frequency: 'weekly' })
      expect(habit).toMatchObject({ rhythm: { every: 3 }, frequency: 'daily' })
      const changed = await edit(habit, { rhythm: { weekdays: [2] }, frequency: 'daily' })
      expect(changed).toMatchObject({ rhythm: { weekdays: [2] }, frequency: 'weekly' })
    })

    it('changes from a day on, or from today, and the past keeps its own', async () => {
      const habit = await add({ start_date: '2026-11-16' })
      await say(habit, '2026-11-16', { state: 'done' })
      const changed = await edit(habit, { rhythm: { weekdays: [1] } })
      expect(changed.rhythms).toEqual([
        { from_day: '2026-11-16', rhythm: { every: 1 }, target: 'yes' },
        { from_day: today, rhythm: { weekdays: [1] }, target: null },
      ])
      expect(await statesOf(habit, '2026-11-16', '2026-11-22')).toEqual([
        'done',
        'missed',
        'missed',
        'missed',
        'not_due',
        'not_due',
        'not_due',
      ])
      expect(await edit(habit, { target: water, from_day: '2026-11-18' })).toMatchObject({
        rhythm: { weekdays: [1] },
        target: water,
      })
    })

    it('undoing a change leaves the habit as it was', async () => {
      const habit = await add()
      await edit(habit, { rhythm: { every: 2 } })
      const { rhythms: _, ...undone } = await edit(habit, { rhythm: { every: 1 } })
      const { rhythms: __, ...before } = habit
      expect(undone).toEqual(before)
    })

    it('an edit with a frequency keeps the rhythm, unless it changes the one that was answered', async () => {
      const habit = await add({ rhythm: { times: 3, per: 'week' } })
      expect(await edit(habit, { frequency: 'weekly' })).toMatchObject({ rhythm: { times: 3, per: 'week' } })
      expect(await edit(habit, { frequency: 'daily' })).toMatchObject({ rhythm: { every: 1 } })
      expect(await edit(habit, { frequency: 'weekly' })).toMatchObject({
        rhythm: { times: 3, per: 'week' },
      })
    })

    it('of two changes to one day the later one stands, each part by itself', async () => {
      const habit = await add({ at: '2026-11-20T10:00:00.000Z' })
      await edit(habit, { rhythm: { every: 2 }, at: '2026-11-20T10:02:00.000Z' })
      const late = { rhythm: { every: 5 }, target: water, at: '2026-11-20T10:01:00.000Z' }
      expect(await edit(habit, late)).toMatchObject({ rhythm: { every: 2 }, target: water })
    })

    it.each([
      [{ rhythm: { times: 8, per: 'week' } }, 'Expected at most 7 times a week'],
      [{ rhythm: { times: 29, per: 'month' } }, 'Expected at most 28 times a month'],
      [{ rhythm: { times: 3, days: 2 } }, 'Expected at most as many times as days'],
      [{ rhythm: { every: 367 } }, 'Expected at most 366 days'],
      [{ rhythm: { weekdays: [] } }, 'Expected at least one weekday'],
      [{ rhythm: 'daily' }, 'Expected {times, per}, {times, days}, {weekdays} or {every}'],
      [{ target: { ...water, amount: 0 } }, 'Expected an amount of at least 1 thousandth'],
      [{ target: { ...water, unit: ' ' } }, 'Unit must not be empty'],
      [{ target: 'no' }, 'Expected "yes", or {at, amount, unit, per}'],
      [{ from_day: '2026-02-30' }, 'Expected a day as YYYY-MM-DD'],
    ])('%j is refused, and changes nothing', async (wrong, message) => {
      const habit = await add()
      const asked = await ask('PUT', `/api/habits/${habit.id}`, wrong)
      expect(asked).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
      expect(Object.values(asked.body.fields).join()).toContain(message)
      expect(await listed(habit)).toEqual(habit)
    })
  })

  describe('what the specification says of Daily and Weekly', () => {
    it('is said of today alone for every other rhythm', async () => {
      const habit = await add({ rhythm: { times: 3, per: 'week' } })
      await toggle(habit, { date: '2026-11-18' })
      expect(await listed(habit)).toMatchObject({ completed: false })
      expect(await toggle(habit)).toMatchObject({ completed: true, recent: ['2026-11-18', today] })
      expect(await toggle(habit)).toMatchObject({ completed: false, recent: ['2026-11-18'] })
    })
  })

  describe('a day', () => {
    it('can be skipped, and lowers no streak and no rate', async () => {
      const habit = await add({ start_date: '2026-11-17' })
      for (const day of ['2026-11-17', '2026-11-18', today]) await say(habit, day, { state: 'done' })
      expect(await listed(habit)).toMatchObject({ current_streak: 1, completion_rate: 3 / 4 })
      expect(await say(habit, '2026-11-19', { state: 'skipped' })).toMatchObject({
        current_streak: 3,
        completion_rate: 1,
        skipped: ['2026-11-19'],
      })
      expect(await say(habit, '2026-11-19', { state: 'none' })).toMatchObject({ current_streak: 1 })
    })

    it('has a note, which merges by itself and stays when the state is taken back', async () => {
      const habit = await add({ at: '2026-11-20T09:00:00.000Z' })
      await say(habit, today, { state: 'done', note: ' In the rain ', at: '2026-11-20T10:00:00.000Z' })
      await say(habit, today, { note: 'Earlier', at: '2026-11-20T09:30:00.000Z' })
      await say(habit, today, { state: 'none', at: '2026-11-20T10:30:00.000Z' })
      const [day] = await daysOf(habit, today, today)
      expect(day).toEqual({ day: today, state: 'open', amount: null, note: 'In the rain' })
    })

    it('of the range is answered each, with what it was', async () => {
      const habit = await add({ start_date: '2026-11-17' })
      await say(habit, '2026-11-18', { state: 'done' })
      await say(habit, '2026-11-21', { state: 'skipped' })
      expect(await daysOf(habit, '2026-11-16', '2026-11-22')).toEqual(
        ['not_due', 'missed', 'done', 'missed', 'open', 'skipped', 'open'].map((state, place) => ({
          day: `2026-11-${16 + place}`,
          state,
          amount: null,
          note: '',
        })),
      )
    })

    it('that is nowhere yet cannot be done, but skipped', async () => {
      const habit = await add()
      const path = `/api/habits/${habit.id}/days/2026-11-22`
      expect(await ask('PUT', path, { state: 'done' })).toMatchObject({
        status: 400,
        body: { fields: { day: "This day hasn't started in any time zone yet." } },
      })
      expect((await ask('PUT', path, { state: 'skipped' })).status).toBe(200)
    })

    it.each([
      [{}, 'state'],
      [{ state: 'perhaps' }, 'state'],
      [{ note: 'x'.repeat(5_001) }, 'note'],
      [{ state: 'done', at: 'yesterday' }, 'at'],
    ])('refuses %j', async (body, field) => {
      const habit = await add()
      const asked = await ask('PUT', `/api/habits/${habit.id}/days/${today}`, body)
      expect(asked).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } })
      expect(await listed(habit)).toEqual(habit)
    })
  })

  describe('an amount', () => {
    it('of two devices that each add counts both, and the same id again changes nothing', async () => {
      const habit = await add({ target: water })
      const first = await enter(habit, { id: id(1), value: 3_000 })
      expect(first).toMatchObject({
        status: 201,
        body: {
          amount: { id: id(1), day: today, value: 3_000, set: false, settles: [] },
          habit: { completed: false, today: { state: 'open', amount: 3_000 } },
        },
      })
      const again = await enter(habit, { id: id(1), value: 4_000 })
      expect([again.status, again.body]).toEqual([200, first.body])
      expect((await enter(habit, { id: id(2), value: 5_000 })).body.habit).toMatchObject({
        completed: true,
        current_streak: 1,
        today: { state: 'done', amount: 8_000 },
        recent: [today],
        amounts: [{ day: today, amount: 8_000 }],
      })
    })

    it('can be set, which replaces the adds that it names; deleting the set brings them back', async () => {
      const habit = await add({ target: water, at: '2026-11-20T08:00:00.000Z' })
      await enter(habit, { id: id(11), value: 3_000, at: '2026-11-20T09:00:00.000Z' })
      const set = { id: id(12), value: 1_000, set: true, at: '2026-11-20T10:00:00.000Z' }
      expect((await enter(habit, set)).body.amount).toMatchObject({ set: true, settles: [id(11)] })
      // Made before the set, but not known to it.
      await enter(habit, { id: id(13), value: 500, at: '2026-11-20T09:30:00.000Z' })
      expect(await listed(habit)).toMatchObject({ today: { amount: 1_500 } })
      const path = `/api/habits/${habit.id}/amounts/${id(12)}`
      expect((await ask('DELETE', path)).body.habit).toMatchObject({ today: { amount: 3_500 } })
      expect((await ask('DELETE', path)).status).toBe(404)
      expect((await ask('POST', `${path}/restore`)).body.habit).toMatchObject({ today: { amount: 1_500 } })
    })

    it('at least: the tick adds what is missing, unticking sets 0', async () => {
      const habit = await add({ target: water })
      await enter(habit, { value: 3_000 })
      expect(await say(habit, today, { state: 'done' })).toMatchObject({ today: { amount: 8_000 } })
      expect(await say(habit, today, { state: 'done' })).toMatchObject({ today: { amount: 8_000 } })
      now += 1_000
      expect(await toggle(habit)).toMatchObject({ completed: false, today: { state: 'open', amount: 0 } })
      now += 1_000
      expect(await toggle(habit, { date: '2026-11-19', completed: true })).toMatchObject({
        recent: ['2026-11-19'],
      })
    })

    it('at most: the tick enters 0, and unticking removes what was entered', async () => {
      const habit = await add({ target: coffee })
      expect(await toggle(habit)).toMatchObject({ completed: true, today: { state: 'open', amount: 0 } })
      now += 1_000
      expect(await toggle(habit)).toMatchObject({
        completed: false,
        today: { state: 'unknown', amount: null },
      })
      now += 1_000
      await enter(habit, { value: 3_000 })
      expect(await toggle(habit)).toMatchObject({ completed: false, today: { amount: 3_000 } })
    })

    it('a skip that is taken back keeps what was entered', async () => {
      const habit = await add({ target: water })
      await enter(habit, { value: 3_000 })
      expect(await say(habit, today, { state: 'skipped' })).toMatchObject({ today: { state: 'skipped' } })
      now += 1_000
      for (let sent = 0; sent < 2; sent += 1) {
        expect(await say(habit, today, { state: 'none', at: '2026-11-20T12:00:01.000Z' })).toMatchObject({
          today: { state: 'open', amount: 3_000 },
        })
      }
    })

    it('a skip that two devices take back keeps what was entered', async () => {
      const habit = await add({ target: water })
      await enter(habit, { value: 3_000 })
      await say(habit, today, { state: 'skipped' })
      for (let device = 0; device < 2; device += 1) {
        now += 1_000
        expect(await say(habit, today, { state: 'none', keeps_amount: true })).toMatchObject({
          today: { state: 'open', amount: 3_000 },
        })
      }
    })

    it('an older tick that arrives after it was taken back is ignored', async () => {
      const habit = await add({ target: water, at: '2026-11-20T08:00:00.000Z' })
      await say(habit, today, { state: 'none', at: '2026-11-20T10:00:00.000Z' })
      const late = await say(habit, today, { state: 'done', at: '2026-11-20T09:00:00.000Z' })
      expect(late).toMatchObject({ completed: false, today: { amount: null } })
    })

    it('of a week is done once its sum is reached', async () => {
      const habit = await add({ target: { at: 'least', amount: 20_000, unit: 'km', per: 'week' } })
      await enter(habit, { day: '2026-11-17', value: 15_000 })
      expect(await listed(habit)).toMatchObject({ completed: false, frequency: 'weekly' })
      expect(await say(habit, today, { state: 'done' })).toMatchObject({
        completed: true,
        today: { amount: 5_000 },
        current_streak: 1,
      })
    })

    it('on an earlier day than the first makes that the first', async () => {
      const habit = await add({ target: water, start_date: '2026-11-10' })
      const { body } = await enter(habit, { day: '2026-11-05', value: 1_000 })
      expect(body.habit).toMatchObject({ start_date: '2026-11-05' })
    })

    it.each([
      [{ value: 0 }, 'value'],
      [{ value: 1_000_000_001 }, 'value'],
      [{ value: 0.5 }, 'value'],
      [{ value: -1, set: true }, 'value'],
      [{ value: 1, settles: ['x'] }, 'settles.0'],
      [{ value: 1, day: '2026-11-22' }, 'day'],
      [{ value: 1, id: '7' }, 'id'],
    ])('refuses %j', async (entry, field) => {
      const habit = await add({ target: water })
      expect(await enter(habit, entry)).toMatchObject({
        status: 400,
        body: { fields: { [field]: expect.any(String) } },
      })
    })
  })

  describe('a pause', () => {
    it('takes days of one habit or of all out, until it is deleted', async () => {
      const [one, other] = [await add({ start_date: '2026-11-16' }), await add({ start_date: '2026-11-16' })]
      const pause = { habit_id: one.id, from_day: '2026-11-17', to_day: '2026-11-18' }
      const made = await ask('POST', '/api/pauses', { ...pause, id: id(21) })
      expect(made).toMatchObject({ status: 201, body: { pause: { ...pause, id: id(21) } } })
      expect((await ask('POST', '/api/pauses', { ...pause, id: id(21) })).status).toBe(200)
      const range = ['2026-11-16', '2026-11-19'] as const
      expect(await statesOf(one, ...range)).toEqual(['missed', 'paused', 'paused', 'missed'])
      expect(await statesOf(other, ...range)).toEqual(['missed', 'missed', 'missed', 'missed'])

      const ofAll = await ask('POST', '/api/pauses', { from_day: '2026-11-19' })
      expect(ofAll.body.pause).toMatchObject({ habit_id: null, to_day: null })
      expect(await statesOf(other, ...range)).toEqual(['missed', 'missed', 'missed', 'paused'])
      expect(await listed(other)).toMatchObject({ today: { state: 'paused' } })
      const path = `/api/pauses/${ofAll.body.pause.id}`
      expect((await ask('PUT', path, { to_day: '2026-11-19' })).body.pause).toMatchObject({
        to_day: '2026-11-19',
      })
      expect(await listed(other)).toMatchObject({ today: { state: 'open' } })
      expect((await ask('GET', '/api/pauses')).body.pauses.map((each: { id: string }) => each.id)).toEqual([
        id(21),
        ofAll.body.pause.id,
      ])
      expect((await ask('DELETE', path)).status).toBe(200)
      expect(await statesOf(other, ...range)).toEqual(['missed', 'missed', 'missed', 'missed'])
      expect((await ask('POST', `${path}/restore`)).status).toBe(200)
      await ask('DELETE', path)
      await ask('DELETE', `/api/pauses/${id(21)}`)
    })

    it('whose ends cross is kept and counts as none', async () => {
      const habit = await add({ start_date: '2026-11-16' })
      const pause = { habit_id: habit.id, from_day: '2026-11-18', to_day: '2026-11-17' }
      const made = await ask('POST', '/api/pauses', pause)
      expect(made).toMatchObject({ status: 201, body: { pause } })
      expect(await statesOf(habit, '2026-11-17', '2026-11-18')).toEqual(['missed', 'missed'])
    })

    it("of someone else's account does not exist for any call", async () => {
      const { pause } = (await ask('POST', '/api/pauses', { from_day: today })).body
      const asBob = (method: string, path: string, body?: unknown) =>
        daymark.ask(method, path, { body, cookie: bob.cookie })
      expect((await asBob('PUT', `/api/pauses/${pause.id}`, { to_day: today })).status).toBe(404)
      expect((await asBob('DELETE', `/api/pauses/${pause.id}`)).status).toBe(404)
      expect((await asBob('GET', '/api/pauses')).body.pauses).toEqual([])
      await ask('DELETE', `/api/pauses/${pause.id}`)
    })

    it.each([
      [{ from_day: '2026-02-30' }, 'from_day'],
      [{ from_day: today, to_day: 'soon' }, 'to_day'],
      [{ from_day: today, habit_id: '7' }, 'habit_id'],
      [{}, 'from_day'],
    ])('refuses %j', async (body, field) => {
      expect(await ask('POST', '/api/pauses', body)).toMatchObject({
        status: 400,
        body: { fields: { [field]: expect.any(String) } },
      })
    })
  })

  describe('the order and the archive', () => {
    it('a habit stands where it was moved to, and one that nobody moved where its creation puts it', async () => {
      const { cookie } = await daymark.signUp('Cleo')
      const asCleo = (method: string, path: string, body?: object) =>
        daymark.ask(method, path, { cookie, body })
      const made: string[] = []
      for (const [name, at] of [
        ['Second', '2026-11-20T10:00:00.000Z'],
        ['First', '2026-11-20T09:00:00.000Z'],
        ['Third', '2026-11-20T11:00:00.000Z'],
      ]) {
        made.push((await asCleo('POST', '/api/habits', { name, start_date: today, at })).body.habit.id)
      }
      const names = async () =>
        (await asCleo('GET', '/api/habits')).body.habits.map(({ name }: { name: string }) => name)
      expect(await names()).toEqual(['First', 'Second', 'Third'])
      expect((await asCleo('PUT', `/api/habits/${made[2]}`, { position: 'a0' })).status).toBe(200)
      expect(await names()).toEqual(['Third', 'First', 'Second'])
    })

    it('a position that became too long is shortened, and the order stays', async () => {
      const { cookie } = await daymark.signUp('Dana')
      const asDana = (method: string, path: string, body?: object) =>
        daymark.ask(method, path, { cookie, body })
      for (const [name, position] of [
        ['Last', 'a1'],
        ['Middle', `a0${'i'.repeat(80)}`],
        ['First', 'a0'],
      ]) {
        await asDana('POST', '/api/habits', { name, start_date: today, position })
      }
      const { habits } = (await asDana('GET', '/api/habits')).body
      expect(habits.map(({ name }: { name: string }) => name)).toEqual(['First', 'Middle', 'Last'])
      for (const { position } of habits) expect(position.length).toBeLessThanOrEqual(60)
    })

    it('an archived habit is not due from that day on, keeps its history, and comes back', async () => {
      const habit = await add({ start_date: '2026-11-16' })
      await say(habit, '2026-11-18', { state: 'done' })
      const archived = await edit(habit, { archived_at: '2026-11-20T09:00:00.000Z' })
      expect(archived).toMatchObject({ archived_at: '2026-11-20T09:00:00.000Z', today: { state: 'not_due' } })
      expect(await statesOf(habit, '2026-11-17', '2026-11-21')).toEqual([
        'missed',
        'done',
        'missed',
        'not_due',
        'not_due',
      ])
      expect(await edit(habit, { archived_at: null })).toMatchObject({
        archived_at: null,
        today: { state: 'open' },
      })
    })
  })

  it('strength is told from 14 days after the start day on, from 0 to 100', async () => {
    expect(await add({ start_date: '2026-11-07' })).toMatchObject({ strength: null })
    const habit = await add({ start_date: '2026-11-06' })
    expect(habit).toMatchObject({ strength: 0 })
    for (let day = 6; day <= 20; day += 1) {
      await say(habit, `2026-11-${String(day).padStart(2, '0')}`, { state: 'done' })
    }
    expect(await listed(habit)).toMatchObject({ strength: 100 })
  })

  it('all of it can be sent together', async () => {
    const habit = await add({ target: water })
    const path = `/api/habits/${habit.id}`
    const { body } = await ask('POST', '/api/changes', {
      rows: [
        [
          { method: 'POST', path: `${path}/amounts`, body: { day: today, value: 2_000, id: id(31) } },
          { method: 'DELETE', path: `${path}/amounts/${id(31)}` },
          { method: 'POST', path: `${path}/amounts/${id(31)}/restore` },
          { method: 'PUT', path: `${path}/days/${today}`, body: { note: 'Warm' } },
          { method: 'PUT', path, body: { rhythm: { every: 2 } } },
        ],
        [
          { method: 'POST', path: '/api/pauses', body: { from_day: '2026-12-01', id: id(32) } },
          { method: 'PUT', path: `/api/pauses/${id(32)}`, body: { to_day: '2026-12-02' } },
          { method: 'DELETE', path: `/api/pauses/${id(32)}` },
          { method: 'POST', path: `/api/pauses/${id(32)}/restore` },
        ],
      ],
    })
    const statuses = body.rows.map((row: { status: number }[]) => row.map(({ status }) => status))
    expect(statuses).toEqual([
      [201, 200, 200, 200, 200],
      [201, 200, 200, 200],
    ])
    await ask('DELETE', `/api/pauses/${id(32)}`)
  })

  it("someone else's habit does not exist for any of these calls", async () => {
    const habit = await add({ target: water })
    await enter(habit, { id: id(41), value: 1_000 })
    const asBob = (method: string, path: string, body?: unknown) =>
      daymark.ask(method, `/api/habits/${habit.id}${path}`, { body, cookie: bob.cookie })
    const asked = [
      await asBob('PUT', `/days/${today}`, { state: 'done' }),
      await asBob('GET', '/days?from=2026-11-01&to=2026-11-20'),
      await asBob('POST', '/amounts', { day: today, value: 1 }),
      await asBob('DELETE', `/amounts/${id(41)}`),
      await asBob('POST', `/amounts/${id(41)}/restore`),
      await ask('DELETE', `/api/habits/${(await add()).id}/amounts/${id(41)}`),
    ]
    expect(asked.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
    expect(await listed(habit)).toMatchObject({ today: { amount: 1_000 } })
  })
})
