import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import {
  doneRequest,
  readPush,
  snoozeRequest,
  stateIn,
} from '#features/reminders/service-worker/pushed-reminder.ts'
import { instantToWire } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type PushService, startPushService } from '#testing/push-service.ts'
import { openApplication } from '../testing/application.ts'

// Reminders that go with the due day of a to-do, on the clocks of its person.

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
// Sign-in sessions start on the machine's clock, so these days come next.
const midnight = Math.floor(Date.now() / day) * day + day
const dayAfter = (days: number) => instantToWire(midnight + days * day).slice(0, 10)
const at = (since: number) => instantToWire(midnight + since)

describeEachEngine('a reminder of what is due', (openEmpty) => {
  let database: Database
  let service: PushService
  let applicationKey = ''
  let now = midnight
  beforeEach(async () => {
    database = await openEmpty()
    service = await startPushService(() => applicationKey)
    now = midnight
  })
  afterEach(async () => {
    expect(service.wrong).toEqual([])
    await service.stop()
  })

  /** Somebody who gets push messages in one browser, from a Daymark whose clock stands still. They live in UTC. */
  async function open() {
    const daymark = openApplication(database, { clock: () => now, pushTo: 'anywhere' })
    onTestFinished(() => daymark.pusher.close())
    const person = await daymark.signUp('Ada')
    const send = (method: string, path: string, body?: unknown) =>
      daymark.ask(method, path, { cookie: person.cookie, body })
    const ask = async (method: string, path: string, body?: unknown) => {
      const asked = await send(method, path, body)
      expect(asked.status, JSON.stringify(asked.body)).toBeLessThan(300)
      return asked.body
    }
    applicationKey = (await ask('GET', '/api/reminders')).public_key
    await ask('PUT', '/api/reminders/devices', service.subscribe().subscription)
    /** What is pushed by an instant: the time since midnight is when somebody looks. */
    const pushedBy = async (since: number) => {
      now = midnight + since
      const before = service.pushed.length
      await daymark.reminding.remindNow()
      return service.pushed.slice(before).map(({ message }) => message)
    }
    const add = async (fields: object) => {
      const { todo } = await ask('POST', '/api/todos', { title: 'Pay the rent', ...fields })
      // The alarm is computed soon afterwards.
      await daymark.reminding.remindNow()
      return todo
    }
    const edit = async (id: string, fields: object) => {
      const { todo } = await ask('PUT', `/api/todos/${id}/edit`, fields)
      await daymark.reminding.remindNow()
      return todo
    }
    const settle = async (id: string, on: string, state: string) => {
      const { todo } = await ask('PUT', `/api/todos/${id}/days/${on}`, { state })
      await daymark.reminding.remindNow()
      return todo
    }
    const moveTo = async (time_zone: string) => {
      await ask('PATCH', '/api/preferences', { time_zone })
    }
    return { ask, send, add, edit, settle, moveTo, pushedBy }
  }

  const eight = { days_before: 0, time: 480 }
  const daily = (from: string) => ({ freq: 'day', every: 1, mode: 'due', from })

  it('comes once, so many days before, and says when the task is due', async () => {
    const { add, pushedBy } = await open()
    const todo = await add({ due_day: dayAfter(3), reminder: { days_before: 2, time: 480 } })
    expect(todo).toMatchObject({
      due_day: dayAfter(3),
      reminder: { days_before: 2, time: 480 },
      remind_at: at(day + 8 * hour),
    })
    expect(await pushedBy(day + 8 * hour - 1)).toEqual([])
    const pushed = await pushedBy(day + 8 * hour)
    expect(pushed).toMatchObject([{ id: todo.id, body: expect.stringMatching(/^Due on /), url: '/todos' }])
    expect(pushed[0]).not.toHaveProperty('day')
    expect(await pushedBy(3 * day + 9 * hour)).toEqual([])
  })

  it('moves with the due day, also with one that is set alone', async () => {
    const { add, edit, pushedBy } = await open()
    const { id } = await add({ due_day: dayAfter(0), reminder: eight })
    expect(await edit(id, { due_day: dayAfter(2) })).toMatchObject({ remind_at: at(2 * day + 8 * hour) })
    expect(await pushedBy(day)).toEqual([])
    expect(await pushedBy(2 * day + 8 * hour)).toMatchObject([{ id, body: 'Due today' }])
    // Without a due day it rests.
    expect(await edit(id, { due_day: null })).toMatchObject({ reminder: eight, remind_at: null })
    expect(await edit(id, { due_day: dayAfter(4) })).toMatchObject({ remind_at: at(4 * day + 8 * hour) })
    expect(await pushedBy(4 * day + 8 * hour)).toMatchObject([{ id }])
  })

  it('comes of every occurrence that is not done, skipped or moved, and says which', async () => {
    const { add, settle, edit, pushedBy } = await open()
    const { id } = await add({ due_day: dayAfter(0), reminder: eight, repeat: daily(dayAfter(0)) })
    expect(await pushedBy(8 * hour)).toMatchObject([{ id, day: dayAfter(0), body: 'Due today' }])
    // Nobody ticked it: the next one comes all the same.
    expect(await pushedBy(day + 8 * hour)).toMatchObject([{ day: dayAfter(1) }])
    await settle(id, dayAfter(1), 'done')
    await settle(id, dayAfter(2), 'done')
    expect(await pushedBy(2 * day + 9 * hour)).toEqual([])
    await settle(id, dayAfter(3), 'skipped')
    expect(await pushedBy(3 * day + 9 * hour)).toEqual([])
    expect(await pushedBy(4 * day + 8 * hour)).toMatchObject([{ day: dayAfter(4) }])
    await settle(id, dayAfter(4), 'done')
    now = midnight + 4 * day + 9 * hour
    await edit(id, { repeat: { freq: 'day', every: 7, mode: 'due', from: dayAfter(5) } })
    await edit(id, { due_day: dayAfter(7) })
    expect(await pushedBy(6 * day + 8 * hour)).toEqual([])
    expect(await pushedBy(7 * day + 8 * hour)).toMatchObject([{ day: dayAfter(5), body: 'Due today' }])
    expect(await pushedBy(11 * day)).toEqual([])
    expect(await pushedBy(12 * day + 8 * hour)).toMatchObject([{ day: dayAfter(12) }])
  })

  it('of a task that counts from the day it was done comes when it is back', async () => {
    const { add, settle, pushedBy } = await open()
    const repeat = { freq: 'day', every: 3, mode: 'done', from: dayAfter(0) }
    const { id } = await add({ due_day: dayAfter(0), reminder: eight, repeat })
    expect(await pushedBy(8 * hour)).toMatchObject([{ day: dayAfter(0) }])
    expect(await pushedBy(2 * day + 8 * hour)).toEqual([])
    await settle(id, dayAfter(0), 'done')
    expect(await pushedBy(5 * day + 8 * hour)).toMatchObject([{ day: dayAfter(5) }])
  })

  it('does not come any more when the series has ended, the task is deleted or its rule is gone', async () => {
    const { ask, add, settle, edit, pushedBy } = await open()
    const ended = await add({
      due_day: dayAfter(0),
      reminder: eight,
      repeat: { ...daily(dayAfter(0)), times: 2 },
    })
    await settle(ended.id, dayAfter(0), 'done')
    await settle(ended.id, dayAfter(1), 'done')
    const deleted = await add({ due_day: dayAfter(1), reminder: eight, repeat: daily(dayAfter(1)) })
    await ask('DELETE', `/api/todos/${deleted.id}`)
    const once = await add({
      title: 'Once',
      due_day: dayAfter(1),
      reminder: eight,
      repeat: daily(dayAfter(1)),
    })
    await edit(once.id, { repeat: null })
    expect(await pushedBy(day + 8 * hour)).toMatchObject([{ id: once.id }])
    expect(await pushedBy(2 * day + 9 * hour)).toEqual([])
    // The deletion is undone.
    await ask('POST', `/api/todos/${deleted.id}/restore`)
    await settle(ended.id, dayAfter(1), 'open')
    await pushedBy(2 * day + 9 * hour)
    expect(await pushedBy(3 * day + 8 * hour)).toMatchObject([{ id: deleted.id }])
  })

  it('follows its person to another zone: later, or at once if its time is over there, and never twice', async () => {
    const { add, moveTo, pushedBy } = await open()
    await add({ due_day: dayAfter(0), reminder: eight })
    await add({ due_day: dayAfter(0), reminder: eight, repeat: daily(dayAfter(0)) })
    await moveTo('Pacific/Honolulu')
    expect(await pushedBy(17 * hour)).toEqual([])
    // There it is an hour or two past eight.
    await moveTo('America/Los_Angeles')
    expect(await pushedBy(17 * hour)).toHaveLength(2)
    await moveTo('Pacific/Honolulu')
    expect(await pushedBy(19 * hour)).toEqual([])
    // Of tomorrow's occurrence.
    expect(await pushedBy(42 * hour)).toMatchObject([{ day: dayAfter(1) }])
  })

  it("'Done' on the notification ticks the occurrence that it was about", async () => {
    const { ask, add, pushedBy } = await open()
    const repeat = { freq: 'day', every: 7, mode: 'due', from: dayAfter(0) }
    const { id } = await add({ due_day: dayAfter(0), reminder: { days_before: 3, time: 480 }, repeat })
    // The open one was never ticked.
    const [message] = await pushedBy(4 * day + 8 * hour)
    expect(message).toMatchObject({ day: dayAfter(7) })
    const push = readPush(JSON.stringify(message))
    if (push?.kind !== 'todo') throw new Error('It is about a to-do')
    expect(stateIn(push, await ask('GET', '/api/todos'))).toBe('open')
    const { method, path, body } = doneRequest(push)
    await ask(method, path, body)
    const after = await ask('GET', '/api/todos')
    expect(stateIn(push, after)).toBe('done')
    expect(after.todos[0]).toMatchObject({
      due_day: dayAfter(0),
      settled: [{ day: dayAfter(7), state: 'done', done_on: dayAfter(4) }],
    })
    expect(await ask('GET', `/api/todos/${id}/days?from=${dayAfter(7)}&to=${dayAfter(7)}`)).toMatchObject({
      days: [{ state: 'done' }],
    })
    expect(await pushedBy(7 * day + 9 * hour)).toEqual([])
  })

  it("'Remind me in 30 min' reminds once more of the same occurrence, unless that is done by then", async () => {
    const { ask, send, add, edit, settle, pushedBy } = await open()
    const repeat = { freq: 'day', every: 7, mode: 'due', from: dayAfter(2) }
    const { id } = await add({ due_day: dayAfter(2), reminder: { days_before: 1, time: 480 }, repeat })
    const later = async (message: unknown) => {
      const push = readPush(JSON.stringify(message))
      if (push?.kind !== 'todo') throw new Error('It is about a to-do')
      const { method, path, body } = snoozeRequest(push)
      return send(method, path, body)
    }
    const [first] = await pushedBy(day + 8 * hour)
    expect((await later(first)).body).toEqual({ remind_at: at(day + 8.5 * hour) })
    const [again] = await pushedBy(day + 8.5 * hour)
    expect(again).toMatchObject({ id, day: dayAfter(2), body: 'Due tomorrow' })
    await later(again)
    await settle(id, dayAfter(2), 'done')
    expect(await pushedBy(day + 9 * hour)).toEqual([])
    expect((await later(again)).status).toBe(422)
    // The reminder itself stays as it was.
    expect((await ask('GET', '/api/todos')).todos[0].reminder).toEqual({ days_before: 1, time: 480 })
    expect(await pushedBy(8 * day + 8 * hour)).toMatchObject([{ day: dayAfter(9) }])
    await edit(id, { repeat: null, due_day: dayAfter(9) })
    await ask('POST', `/api/reminders/todo/${id}/later`)
    expect(await pushedBy(8 * day + 8.5 * hour)).toMatchObject([{ id, body: 'Due tomorrow' }])
  })

  it('what became due while nothing ran is sent once within twelve hours; the next one comes in time', async () => {
    const { add, pushedBy } = await open()
    await add({ due_day: dayAfter(0), reminder: eight, repeat: daily(dayAfter(0)) })
    expect(await pushedBy(5 * day + 9 * hour)).toMatchObject([{ day: dayAfter(5) }])
    expect(await pushedBy(5 * day + 10 * hour)).toEqual([])
    expect(await pushedBy(7 * day)).toEqual([])
    expect(await pushedBy(7 * day + 8 * hour)).toMatchObject([{ day: dayAfter(7) }])
  })

  it('a change that arrives twice, or late, sends nothing a second time', async () => {
    const { ask, add, edit, pushedBy } = await open()
    const { id } = await add({ due_day: dayAfter(0), reminder: eight, repeat: daily(dayAfter(0)) })
    expect(await pushedBy(8 * hour)).toHaveLength(1)
    now = midnight + 9 * hour
    await edit(id, { due_day: dayAfter(0), reminder: eight, at: at(7 * hour) })
    expect(await pushedBy(9 * hour)).toEqual([])
    const later = { reminder: { days_before: 0, time: 540 }, at: at(8 * hour + minute) }
    await ask('PUT', `/api/todos/${id}/edit`, later)
    expect(await pushedBy(9 * hour)).toHaveLength(1)
  })

  it('a tick that arrives late brings back no reminder from before it was set, nor of what was reopened since', async () => {
    const { ask, add, edit, settle, pushedBy } = await open()
    const { id } = await add({ due_day: dayAfter(0), repeat: daily(dayAfter(0)) })
    now = midnight + 12 * hour
    await edit(id, { reminder: eight })
    const tick = (on: string, made: number) =>
      ask('PUT', `/api/todos/${id}/days/${on}`, { state: 'done', at: at(made) })
    await tick(dayAfter(-1), 7 * hour)
    expect(await pushedBy(12.5 * hour)).toEqual([])

    expect(await pushedBy(day + 6 * hour)).toEqual([])
    now = midnight + day + 7 * hour
    await tick(dayAfter(1), day + 7 * hour)
    now = midnight + day + 9 * hour
    await settle(id, dayAfter(1), 'open')
    await tick(dayAfter(1), day + 7 * hour)
    expect(await pushedBy(day + 10 * hour)).toEqual([])
    expect(await pushedBy(2 * day + 8 * hour)).toMatchObject([{ day: dayAfter(2) }])
  })

  it('one that was put off still comes after another occurrence has been ticked', async () => {
    const { ask, add, settle, pushedBy } = await open()
    const { id } = await add({ due_day: dayAfter(0), reminder: eight, repeat: daily(dayAfter(0)) })
    expect(await pushedBy(day + 8 * hour)).toHaveLength(1)
    await ask('POST', `/api/reminders/todo/${id}/later`, { day: dayAfter(1) })
    now = midnight + day + 8 * hour + 5 * minute
    await settle(id, dayAfter(0), 'done')
    expect(await pushedBy(day + 8.5 * hour)).toMatchObject([{ id, day: dayAfter(1) }])
  })

  it('does not come of a subtask that is done in what is open of its parent', async () => {
    const { ask, add, pushedBy } = await open()
    const trip = await add({ due_day: dayAfter(0), repeat: daily(dayAfter(0)) })
    const below = { due_day: dayAfter(0), parent_id: trip.id, reminder: eight }
    const pack = await add(below)
    const call = await add(below)
    await ask('PUT', `/api/todos/${pack.id}`, { completed: 1 })
    expect(await pushedBy(8 * hour)).toMatchObject([{ id: call.id }])
  })

  it('of a task that has come back since 1900 is computed from today on', async () => {
    const { add, pushedBy } = await open()
    const repeat = daily('1900-01-01')
    const fields = { due_day: '1900-01-01', reminder: eight, repeat, at: '1900-01-02T00:00:00.000Z' }
    const todo = await add(fields)
    // Sixty days before 1970, as whose first instant a change from before it counts.
    expect(todo.settled_from).toBe('1969-11-02')
    expect(await pushedBy(8 * hour)).toMatchObject([{ id: todo.id, day: dayAfter(0) }])
  })

  describe('as an instant', () => {
    it('says the same when it is sent again after another due day was set', async () => {
      const { add, edit } = await open()
      const { id } = await add({ due_day: dayAfter(1) })
      const sent = { remind_at: at(day + 8 * hour), at: at(0) }
      await edit(id, sent)
      now = midnight + minute
      await edit(id, { due_day: dayAfter(5) })
      expect(await edit(id, sent)).toMatchObject({ reminder: eight, remind_at: at(5 * day + 8 * hour) })
    })

    it('goes with the due day from then on', async () => {
      const { add, edit, moveTo } = await open()
      const todo = await add({ due_day: dayAfter(2), remind_at: at(day + 8 * hour) })
      expect(todo).toMatchObject({ reminder: { days_before: 1, time: 480 }, remind_at: at(day + 8 * hour) })
      await moveTo('Asia/Tokyo')
      expect(await edit(todo.id, { title: 'Rent' })).toMatchObject({ remind_at: at(day - hour) })
      expect(await edit(todo.id, { remind_at: at(2 * day) })).toMatchObject({
        reminder: { days_before: 0, time: 540 },
        remind_at: at(2 * day),
      })
      expect(await edit(todo.id, { remind_at: null })).toMatchObject({ reminder: null, remind_at: null })
    })

    it('stays an instant without a due day, after it, or between two minutes', async () => {
      const { add, edit, pushedBy } = await open()
      const todo = await add({ remind_at: at(hour) })
      expect(todo).toMatchObject({ reminder: null, remind_at: at(hour) })
      expect(await edit(todo.id, { due_day: dayAfter(1) })).toMatchObject({ remind_at: at(hour) })
      const afterwards = { reminder: null, remind_at: at(2 * day) }
      expect(await edit(todo.id, { remind_at: at(2 * day) })).toMatchObject(afterwards)
      const between = { reminder: null, remind_at: at(hour + 1) }
      expect(await edit(todo.id, { remind_at: at(hour + 1) })).toMatchObject(between)
      expect(await edit(todo.id, { reminder: eight })).toMatchObject({ remind_at: at(day + 8 * hour) })
      expect(await pushedBy(hour + 1)).toEqual([])
      expect(await edit(todo.id, { reminder: null })).toMatchObject({ reminder: null, remind_at: null })
    })

    it('of a task that repeats goes with the occurrence that is open, to the minute', async () => {
      const { add, edit, pushedBy } = await open()
      const rule = daily(dayAfter(0))
      const todo = await add({ due_day: dayAfter(0), remind_at: at(8 * hour + 1_000) })
      expect(todo.reminder).toBe(null)
      expect(await edit(todo.id, { repeat: rule })).toMatchObject({
        reminder: eight,
        remind_at: at(8 * hour),
      })
      expect(await pushedBy(day + 8 * hour)).toHaveLength(1)
      now = midnight + 2 * day
      expect(await edit(todo.id, { remind_at: at(2 * day + 9 * hour) })).toMatchObject({
        reminder: { days_before: 0, time: 540 },
      })
      expect(await pushedBy(2 * day + 9 * hour)).toMatchObject([{ day: dayAfter(2) }])
    })

    it('is one field with the other form: the later change of either stands, whichever arrives first', async () => {
      const { add, edit } = await open()
      const { id } = await add({ due_day: dayAfter(5) })
      now = midnight + hour
      await edit(id, { reminder: eight, at: at(4 * minute) })
      expect(await edit(id, { remind_at: at(6 * day), at: at(3 * minute) })).toMatchObject({
        reminder: eight,
      })
      expect(await edit(id, { remind_at: at(6 * day), at: at(5 * minute) })).toMatchObject({ reminder: null })
      const late = { reminder: null, remind_at: at(6 * day) }
      expect(await edit(id, { reminder: eight, at: at(4 * minute) })).toMatchObject(late)
    })
  })

  it.each([
    { days_before: -1, time: 480 },
    { days_before: 367, time: 480 },
    { days_before: 0, time: 1440 },
    { days_before: 0 },
    { days_before: 0, time: 480, zone: 'UTC' },
    '08:00',
  ])('that is impossible is refused, and changes nothing: %j', async (reminder) => {
    const { send, add } = await open()
    const { id, ...rest } = await add({ due_day: dayAfter(1), reminder: eight })
    const refused = await send('PUT', `/api/todos/${id}/edit`, { reminder, title: 'Other' })
    expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    expect((await send('GET', '/api/todos')).body.todos).toEqual([{ id, ...rest }])
  })
})
