import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type Application, openApplication } from '../testing/application.ts'

// 20 November 2026 is a Friday.
const noon = Date.parse('2026-11-20T12:00:00.000Z')
const aDay = 86_400_000

const daily = { freq: 'day', every: 1, mode: 'due', from: '2026-11-18' }
const weekly = { freq: 'week', every: 1, mode: 'due', from: '2026-11-06' }
const threeDaysAfter = { freq: 'day', every: 3, mode: 'done', from: '2026-11-18' }

describeEachEngine('to-dos that come back, over HTTP', (openEmpty) => {
  let daymark: Application
  let now = noon
  let people = 0
  beforeAll(async () => {
    daymark = openApplication(await openEmpty(), { clock: () => now })
  })
  beforeEach(() => {
    now = noon
  })

  async function signIn() {
    const { cookie } = await daymark.signUp(`Person-${++people}`)
    const ask = (method: string, path: string, body?: unknown) => {
      // No two changes are made at the same instant.
      now += 1
      return daymark.ask(method, path, { body, cookie })
    }
    const add = async (more: object) =>
      (await ask('POST', '/api/todos', { title: 'Task', at: '2026-11-01T08:00:00.000Z', ...more })).body.todo
    const edit = (id: string, body: object) => ask('PUT', `/api/todos/${id}/edit`, body)
    const complete = async (id: string, body: object) =>
      (await ask('PUT', `/api/todos/${id}`, body)).body.todo
    const settle = (id: string, day: string, body: object) => ask('PUT', `/api/todos/${id}/days/${day}`, body)
    const days = async (id: string, from: string, to: string) =>
      (await ask('GET', `/api/todos/${id}/days?from=${from}&to=${to}`)).body.days
    const listed = async (id: string) =>
      (await ask('GET', '/api/todos?done=recent')).body.todos.find((todo: { id: string }) => todo.id === id)
    return { ask, add, edit, complete, settle, days, listed }
  }

  it('what a rule leaves out is filled in from its first day and the person, and stored', async () => {
    const { ask, add, edit } = await signIn()
    await ask('PATCH', '/api/preferences', { week_start: 7 })
    const todo = await add({ repeat: { freq: 'week', every: 2, mode: 'due', from: '2026-11-20' } })
    expect(todo).toMatchObject({
      repeat: {
        freq: 'week',
        every: 2,
        weekdays: [5],
        week_start: 7,
        mode: 'due',
        from: '2026-11-20',
      },
      due_day: '2026-11-20',
      missed: 0,
      settled: [],
    })
    const monthly = { freq: 'month', every: 1, mode: 'due', from: '2026-01-31' }
    const sentAlong = { repeat: monthly, due_day: '2026-12-31' }
    expect((await edit(todo.id, sentAlong)).body.todo).toMatchObject({
      repeat: { ...monthly, days: [31], from: '2026-12-31' },
      due_day: '2026-12-31',
    })
  })

  it('a rule that makes no sense is refused with the reason, and changes nothing', async () => {
    const { add, edit, listed } = await signIn()
    const { id } = await add({ repeat: daily })
    for (const repeat of [
      { ...daily, every: 0 },
      { ...daily, every: 1000 },
      { ...daily, mode: 'done', weekdays: [1] },
      { ...daily, until: '2026-11-01' },
      { ...daily, often: true },
      'daily',
    ]) {
      expect(await edit(id, { repeat })).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    }
    expect(await listed(id)).toMatchObject({ repeat: daily })
  })

  it('the day today is due is open, the ones before are missed, and the next follows when it is done', async () => {
    const { add, settle, listed } = await signIn()
    const { id } = await add({ repeat: daily })
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-20', missed: 2, completed: 0 })
    const done = await settle(id, '2026-11-20', { state: 'done' })
    expect(done.body.todo).toMatchObject({
      due_day: '2026-11-21',
      missed: 2,
      completed: 0,
      completed_at: null,
      settled: [{ day: '2026-11-20', state: 'done', done_on: '2026-11-20', moved_to: null }],
    })
    await settle(id, '2026-11-18', { state: 'done', done_on: '2026-11-18' })
    await settle(id, '2026-11-19', { state: 'skipped' })
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-21', missed: 0 })
    await settle(id, '2026-11-20', { state: 'open' })
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-20', missed: 0 })
  })

  it('a page that is read tomorrow shows what is due then, though nothing was written', async () => {
    const { add, listed } = await signIn()
    const { id } = await add({ repeat: weekly })
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-20', missed: 2 })
    now = noon + 6 * aDay
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-20', missed: 2 })
    now = noon + 7 * aDay
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-27', missed: 3 })
  })

  it('after it was done it comes back so many days later, and skipping counts from the later day', async () => {
    const { add, settle, listed } = await signIn()
    const { id } = await add({ repeat: threeDaysAfter })
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-18', missed: 0 })
    await settle(id, '2026-11-18', { state: 'done' })
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-23' })
    await settle(id, '2026-11-23', { state: 'skipped' })
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-26' })
    await settle(id, '2026-11-18', { state: 'open' })
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-18' })
  })

  it('the later of two changes to an occurrence stands, however often and in which order they arrive', async () => {
    const { add, settle, days } = await signIn()
    const changes = [
      { state: 'done', done_on: '2026-11-18', at: '2026-11-18T09:00:00.000Z' },
      { state: 'open', at: '2026-11-18T10:00:00.000Z' },
      { state: 'skipped', done_on: '2026-11-19', at: '2026-11-19T09:00:00.000Z' },
      { state: 'done', done_on: '2026-11-19', at: '2026-11-19T09:00:00.000Z' },
      { state: 'done', done_on: '2026-11-17', at: '2026-11-19T09:00:00.000Z' },
    ]
    for (const order of [
      [0, 1, 2, 3, 4],
      [4, 3, 2, 1, 0],
      [3, 0, 4, 1, 2, 3, 2, 0],
      [2, 4, 3, 1, 0, 1],
    ]) {
      const { id } = await add({ repeat: daily })
      for (const place of order) await settle(id, '2026-11-18', changes[place] ?? {})
      expect(await days(id, '2026-11-18', '2026-11-18')).toEqual([
        { day: '2026-11-18', state: 'done', done_on: '2026-11-19', moved_to: null },
      ])
    }
  })

  it('a series ends with its last occurrence, and then the task is completed', async () => {
    const { add, settle, listed, ask } = await signIn()
    const { id } = await add({ repeat: { ...daily, times: 2 } })
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-19', missed: 1 })
    const at = '2026-11-20T11:00:00.000Z'
    await settle(id, '2026-11-19', { state: 'done', at })
    expect(await listed(id)).toMatchObject({ completed: 1, completed_at: at, due_day: null, missed: 1 })
    now = noon + 60 * aDay
    expect((await ask('GET', '/api/todos')).body.todos).toMatchObject([{ id, completed: 1 }])
    await settle(id, '2026-11-19', { state: 'open' })
    expect(await listed(id)).toMatchObject({ completed: 0, due_day: '2026-11-19' })
  })

  it('every day of the series is told with what became of it', async () => {
    const { add, settle, days } = await signIn()
    const { id } = await add({ repeat: weekly })
    await settle(id, '2026-11-13', { state: 'done', done_on: '2026-11-14' })
    expect(await days(id, '2026-11-01', '2026-11-30')).toEqual([
      { day: '2026-11-06', state: 'open', done_on: null, moved_to: null },
      { day: '2026-11-13', state: 'done', done_on: '2026-11-14', moved_to: null },
      { day: '2026-11-20', state: 'open', done_on: null, moved_to: null },
      { day: '2026-11-27', state: 'open', done_on: null, moved_to: null },
    ])
  })

  it('a client that knows only completed settles what was open then, as often as it sends it', async () => {
    const { add, complete, listed } = await signIn()
    const { id } = await add({ repeat: weekly })
    const tick = { completed: 1, day: '2026-11-14', at: '2026-11-14T08:00:00.000Z' }
    for (const _ of [1, 2, 3]) {
      expect(await complete(id, tick)).toMatchObject({
        completed: 0,
        due_day: '2026-11-20',
        missed: 1,
        settled: [{ day: '2026-11-13', state: 'done', done_on: '2026-11-14' }],
      })
    }
    const undo = { completed: 0, day: '2026-11-14', at: '2026-11-14T08:00:05.000Z' }
    for (const _ of [1, 2]) await complete(id, undo)
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-20', missed: 2 })
    await complete(id, tick)
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-20', missed: 2 })
  })

  it('without an instant it settles nothing that is due later, and reopens only what was settled that day', async () => {
    const { add, complete, listed } = await signIn()
    const { id } = await add({ repeat: weekly })
    await complete(id, { completed: 1 })
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-27', missed: 2 })
    await complete(id, { completed: 1 })
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-27', missed: 2 })
    now = noon + aDay
    await complete(id, { completed: 0 })
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-27' })
    await complete(id, { completed: 0, day: '2026-11-20' })
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-20' })
  })

  it('a completion without an instant is refused before its day, in words, and changes nothing', async () => {
    const { ask, add, edit, settle, listed } = await signIn()
    const weeklyFromFriday = { ...weekly, from: '2026-11-27' }
    const early = { completed: 1, title: 'Renamed' }
    const refused = (day: string) => ({
      status: 409,
      body: { code: 'NOT_DUE_YET', message: `Due on ${day}. Skip or move it first` },
    })
    const { id } = await add({ repeat: weeklyFromFriday })
    const before = await listed(id)
    const put = { method: 'PUT', path: `/api/todos/${id}`, body: early }
    expect(await ask(put.method, put.path, early)).toMatchObject(refused('Fri 27 Nov'))
    expect((await ask('POST', '/api/changes', { rows: [[put]] })).body.rows).toMatchObject([
      [refused('Fri 27 Nov')],
    ])
    expect(await listed(id)).toEqual(before)
    await edit(id, { due_day: '2026-11-30' })
    expect(await ask(put.method, put.path, early)).toMatchObject(refused('Mon 30 Nov'))
    await settle(id, '2026-11-27', { state: 'skipped', done_on: '2026-11-20' })
    expect(await ask(put.method, put.path, early)).toMatchObject(refused('Fri 4 Dec'))
    const { id: yearly } = await add({ repeat: { ...weekly, freq: 'year', from: '2027-01-01' } })
    expect(await ask('PUT', `/api/todos/${yearly}`, early)).toMatchObject(refused('Fri 1 Jan 2027'))
  })

  it('a completion that is sent twice is answered as done, also without an instant and seconds later', async () => {
    const { ask, add, listed } = await signIn()
    for (const repeat of [weekly, threeDaysAfter]) {
      const { id } = await add({ repeat })
      const put = () => ask('PUT', `/api/todos/${id}`, { completed: 1 })
      const first = await put()
      const { settled, due_day } = await listed(id)
      now += 5_000
      expect([first.status, (await put()).status]).toEqual([200, 200])
      expect(await listed(id)).toMatchObject({ settled, due_day })
      now += aDay
      expect(await put()).toMatchObject({ status: 409, body: { code: 'NOT_DUE_YET' } })
    }
  })

  it('a completion that says when it was made is taken before its day', async () => {
    const { add, complete } = await signIn()
    const { id } = await add({ repeat: { ...weekly, from: '2026-11-27' } })
    expect(await complete(id, { completed: 1, at: '2026-11-20T11:00:00.000Z' })).toMatchObject({
      due_day: '2026-12-04',
      completed: 0,
      settled: [{ day: '2026-11-27', state: 'done', done_on: '2026-11-20' }],
    })
  })

  it('what is over, or below what comes back, is completed without an instant', async () => {
    const { ask, add, settle } = await signIn()
    const over = await add({ repeat: { ...weekly, from: '2026-11-13', until: '2026-11-13' } })
    await settle(over.id, '2026-11-13', { state: 'done', done_on: '2026-11-13' })
    const parent = await add({ repeat: { ...weekly, from: '2026-11-27' } })
    const subtask = await add({ parent_id: parent.id })
    const ofOver = await add({ parent_id: over.id })
    for (const { id } of [over, subtask, subtask, ofOver]) {
      expect(await ask('PUT', `/api/todos/${id}`, { completed: 1 })).toMatchObject({
        status: 200,
        body: { todo: { completed: 1 } },
      })
    }
  })

  it('a due day that is set moves one occurrence, up to the day before the next, and null takes it back', async () => {
    const { add, edit, settle, listed } = await signIn()
    const { id } = await add({ repeat: weekly })
    await edit(id, { due_day: '2026-11-24' })
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-24', missed: 2 })
    expect(await edit(id, { due_day: '2026-11-27' })).toMatchObject({
      status: 400,
      body: { fields: { due_day: expect.stringContaining('skip') } },
    })
    await edit(id, { due_day: null })
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-20' })
    await edit(id, { due_day: '2026-11-19' })
    await settle(id, '2026-11-20', { state: 'done' })
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-27' })
  })

  it('taking the repeat away keeps the day that was open; another rule begins anew', async () => {
    const { add, edit, settle, listed } = await signIn()
    const { id } = await add({ repeat: weekly })
    await settle(id, '2026-11-20', { state: 'done' })
    await edit(id, { repeat: { ...daily, from: '2026-11-27' }, due_day: '2026-11-27' })
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-27', missed: 0 })
    await edit(id, { repeat: null })
    const { settled, missed, ...plain } = await listed(id)
    expect([settled, missed]).toEqual([undefined, undefined])
    expect(plain).toMatchObject({ repeat: null, due_day: '2026-11-27', completed: 0 })
    await edit(id, { repeat: weekly })
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-27', missed: 2 })
  })

  it('whether it was completed or made to repeat first, the completion is that of an occurrence', async () => {
    const { add, edit, complete, listed } = await signIn()
    const rule = { repeat: { ...weekly, from: '2026-11-20' }, at: '2026-11-20T09:00:00.000Z' }
    const tick = { completed: 1, day: '2026-11-20', at: '2026-11-20T08:00:00.000Z' }
    const [one, other] = [await add({ due_day: '2026-11-20' }), await add({ due_day: '2026-11-20' })]
    await edit(one.id, rule)
    await complete(one.id, tick)
    await complete(other.id, tick)
    await edit(other.id, rule)
    const expected = {
      completed: 0,
      due_day: '2026-11-27',
      settled: [{ day: '2026-11-20', state: 'done', done_on: '2026-11-20', at: tick.at }],
    }
    expect(await listed(one.id)).toMatchObject(expected)
    expect(await listed(other.id)).toMatchObject(expected)
  })

  it('subtasks are ticked for one occurrence, and are open again in the next', async () => {
    const { add, complete, settle, listed } = await signIn()
    const parent = await add({ repeat: daily })
    const subtask = await add({ parent_id: parent.id })
    expect(await complete(subtask.id, { completed: 1 })).toMatchObject({ completed: 1 })
    expect(await listed(subtask.id)).toMatchObject({
      completed: 1,
      settled: [{ day: '2026-11-20', state: 'done' }],
    })
    await settle(parent.id, '2026-11-20', { state: 'done' })
    expect(await listed(subtask.id)).toMatchObject({ completed: 0 })
    await settle(parent.id, '2026-11-20', { state: 'open' })
    expect(await listed(subtask.id)).toMatchObject({ completed: 1 })
    await complete(subtask.id, { completed: 0 })
    expect(await listed(subtask.id)).toMatchObject({ completed: 0 })
  })

  it('its own repeat has no effect while it is a subtask', async () => {
    const { add, edit, complete, listed } = await signIn()
    const parent = await add({})
    const { id } = await add({ repeat: daily })
    await edit(id, { parent_id: parent.id })
    expect(await complete(id, { completed: 1 })).toMatchObject({ completed: 1, parent_id: parent.id })
    await edit(id, { parent_id: null })
    // What was done as a subtask is that of the occurrence which was open then.
    expect(await listed(id)).toMatchObject({
      completed: 0,
      due_day: '2026-11-21',
      settled: [{ day: '2026-11-20', state: 'done' }],
    })
  })

  it('a repeat that is given to a completed subtask leaves it completed', async () => {
    const { add, edit, complete, listed } = await signIn()
    const parent = await add({})
    const { id } = await add({ parent_id: parent.id })
    await complete(id, { completed: 1 })
    expect((await edit(id, { repeat: daily })).body.todo).toMatchObject({ completed: 1 })
    expect(await listed(id)).toMatchObject({ completed: 1 })
  })

  it('a task that does not repeat has no occurrences', async () => {
    const { add, settle, days } = await signIn()
    const { id } = await add({})
    expect(await settle(id, '2026-11-20', { state: 'done' })).toMatchObject({
      status: 400,
      body: { fields: { state: 'This task does not repeat.' } },
    })
    expect(await days(id, '2026-11-01', '2026-11-30')).toEqual([])
  })

  it('each time it was completed is on the page of completed tasks, in the totals, and in what a search finds', async () => {
    const { ask, add, settle, edit } = await signIn()
    const list = (await ask('POST', '/api/lists', { name: 'Home', color: 1 })).body.list.id
    const { id } = await add({
      title: 'Water the plants',
      list_id: list,
      repeat: { ...daily, from: '2026-08-01' },
    })
    const other = await add({ title: 'Call Ada', completed: 1, day: '2026-11-01' })
    for (let ago = 59; ago >= 0; ago--) {
      const day = new Date(noon - ago * aDay).toISOString().slice(0, 10)
      await settle(id, day, { state: 'done', done_on: day, at: `${day}T08:00:00.000Z` })
    }
    await settle(id, '2026-09-01', { state: 'skipped' })
    const completed = async (query: string) => (await ask('GET', `/api/todos/completed?${query}`)).body
    const november = await completed('from=2026-11-01&to=2026-11-20')
    expect(november.count).toBe(21)
    expect(november.days[0]).toEqual({ day: '2026-11-01', count: 2 })
    expect(november.todos[0]).toMatchObject({
      id,
      title: 'Water the plants',
      completed: 1,
      completed_at: '2026-11-20T08:00:00.000Z',
      completed_on: '2026-11-20',
      day: '2026-11-20',
    })
    const all = await completed('range=all')
    expect([all.count, all.todos.length]).toEqual([61, 50])
    expect(all.todos.filter((each: { day: string | null }) => each.day === null)).toMatchObject([
      { id: other.id },
    ])
    const last = all.todos.at(-1)
    const rest = await completed(`range=all&before=${last.id}:${last.day}`)
    expect(rest.todos.map(({ day }: { day: string }) => day)).toEqual(
      Array.from({ length: 11 }, (_, place) =>
        new Date(noon - (49 + place) * aDay).toISOString().slice(0, 10),
      ),
    )
    expect((await completed('range=all&search=PLANTS')).count).toBe(60)
    expect((await completed(`range=all&list_id=${list}`)).count).toBe(60)
    expect((await ask('GET', '/api/todos?done=recent')).body.completed).toEqual({
      total: 61,
      by_list: { [list]: 60 },
    })
    await ask('DELETE', `/api/todos/${id}`)
    expect((await completed('range=all')).count).toBe(1)
    await ask('POST', `/api/todos/${id}/restore`)
    await ask('PUT', `/api/lists/${list}`, { archived_at: '2026-11-20T08:00:00.000Z' })
    expect((await completed('range=all')).count).toBe(1)
    await edit(id, { list_id: null })
    expect((await completed('range=all')).count).toBe(61)
    for (const before of [`${id}:2026-09-01`, `${id}:2026-12-01`, `${id}:today`, id]) {
      expect((await ask('GET', `/api/todos/completed?range=all&before=${before}`)).status).toBe(400)
    }
  })

  it('years of occurrences are summed up: a device gets those of the last months, and the same is due', async () => {
    const { add, settle, listed, days } = await signIn()
    const { id } = await add({ repeat: { ...daily, from: '2024-01-01' } })
    for (let ago = 300; ago >= 1; ago -= 3) {
      const day = new Date(noon - ago * aDay).toISOString().slice(0, 10)
      await settle(id, day, { state: 'done', done_on: day, at: `${day}T08:00:00.000Z` })
    }
    const todo = await listed(id)
    expect(todo).toMatchObject({ due_day: '2026-11-20', missed: 266 })
    expect(todo.settled.length).toBeLessThan(60)
    expect(todo.settled_from > '2026-06-01').toBe(true)
    expect((await days(id, '2026-01-01', '2026-11-30')).filter(isDone)).toHaveLength(100)
    await settle(id, '2026-02-01', { state: 'done', done_on: '2026-02-01' })
    expect(await listed(id)).toMatchObject({ due_day: '2026-11-20', missed: 265 })
  })
})

function isDone({ state }: { state: string }): boolean {
  return state === 'done'
}
