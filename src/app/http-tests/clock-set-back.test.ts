import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { instantToWire } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { type PushService, startPushService } from '#testing/push-service.ts'
import { waitFor } from '#testing/wait.ts'
import { openApplication } from '../testing/application.ts'

// The server's clock is ahead, and then somebody sets it right.

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
// Sign-in sessions start on the machine's clock, so these days come next.
const midnight = Math.floor(Date.now() / day) * day + day
const dayAfter = (days: number) => instantToWire(midnight + days * day).slice(0, 10)
const at = (since: number) => instantToWire(midnight + since)

describeEachEngine("after the server's clock was ahead", (openEmpty) => {
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

  function openDaymark() {
    const daymark = openApplication(database, { clock: () => now, pushTo: 'anywhere' })
    onTestFinished(() => daymark.pusher.close())
    return daymark
  }

  /** Somebody who gets push messages in one browser. They live in UTC. */
  async function open() {
    const daymark = openDaymark()
    const person = await daymark.signUp('Ada')
    const ask = async (method: string, path: string, body?: unknown) => {
      const asked = await daymark.ask(method, path, { cookie: person.cookie, body })
      expect(asked.status, JSON.stringify(asked.body)).toBeLessThan(300)
      return asked.body
    }
    applicationKey = (await ask('GET', '/api/reminders')).public_key
    const browser = service.subscribe()
    await ask('PUT', '/api/reminders/devices', browser.subscription)
    const addHabit = async (time = 450) => {
      const reminder = { time, weekdays: [1, 2, 3, 4, 5, 6, 7] }
      return (await ask('POST', '/api/habits', { name: 'Read', start_date: '2026-11-01', reminder })).habit
    }
    const addTodo = async (fields: object) => {
      const { todo } = await ask('POST', '/api/todos', { title: 'Pay the rent', ...fields })
      await daymark.reminding.remindNow()
      return todo
    }
    /** What is pushed while the clock shows these instants since midnight, one after the other. */
    const pushedAt = async (...instants: number[]) => {
      const before = service.pushed.length
      for (const since of instants) {
        now = midnight + since
        await daymark.reminding.remindNow()
      }
      return service.pushed.slice(before).map(({ message }) => message)
    }
    return { daymark, ask, browser, addHabit, addTodo, pushedAt }
  }

  const halfPastSeven = 7.5 * hour
  const daily = { freq: 'day', every: 1, mode: 'due', from: dayAfter(0) }

  it('by two days, habits are reminded of on each of those days', async () => {
    const { daymark, addHabit, pushedAt } = await open()
    await addHabit()
    expect(await pushedAt(halfPastSeven)).toMatchObject([{ day: dayAfter(0) }])
    expect(await pushedAt(2 * day + 9 * hour)).toMatchObject([{ day: dayAfter(2) }])
    expect(await pushedAt(9 * hour)).toEqual([])
    expect(daymark.lines.join()).toContain('The clock was set back')
    expect(await pushedAt(day + halfPastSeven)).toMatchObject([{ day: dayAfter(1) }])
    expect(await pushedAt(2 * day + halfPastSeven)).toMatchObject([{ day: dayAfter(2) }])
  })

  it('by a day, the reminder of today that seemed too late still comes', async () => {
    const { addHabit, pushedAt } = await open()
    await addHabit()
    expect(await pushedAt(day + 7 * hour, 7 * hour)).toEqual([])
    expect(await pushedAt(halfPastSeven)).toMatchObject([{ day: dayAfter(0) }])
  })

  it('by an hour, a reminder that came early does not come again', async () => {
    const { addHabit, pushedAt } = await open()
    await addHabit()
    expect(await pushedAt(8 * hour)).toMatchObject([{ day: dayAfter(0) }])
    expect(await pushedAt(7 * hour, halfPastSeven, 9 * hour)).toEqual([])
    expect(await pushedAt(day + halfPastSeven)).toMatchObject([{ day: dayAfter(1) }])
  })

  it('while nothing ran, the server plans anew when it starts', async () => {
    const { addHabit, pushedAt } = await open()
    await addHabit()
    await pushedAt(3 * day + halfPastSeven)
    now = midnight + 9 * hour
    const restarted = openDaymark()
    restarted.reminding.start()
    onTestFinished(() => restarted.reminding.close(10_000))
    await waitFor(async () => {
      const alarm = await database.read.selectFrom('alarms').select('due_at').executeTakeFirstOrThrow()
      expect(alarm.due_at).toBe(midnight + day + halfPastSeven)
    })
  })

  it('an occurrence of a to-do is reminded of in its time', async () => {
    const { addTodo, pushedAt } = await open()
    const reminder = { days_before: 0, time: 450 }
    const { id } = await addTodo({ due_day: dayAfter(0), reminder, repeat: daily })
    expect(await pushedAt(2 * day + 9 * hour)).toMatchObject([{ id, day: dayAfter(2) }])
    expect(await pushedAt(7 * hour)).toEqual([])
    for (const days of [0, 1, 2])
      expect(await pushedAt(days * day + halfPastSeven)).toMatchObject([{ id, day: dayAfter(days) }])
  })

  it('an instant that was reminded of is not reminded of again', async () => {
    const { addTodo, pushedAt } = await open()
    const { id } = await addTodo({ remind_at: at(2 * day) })
    expect(await pushedAt(2 * day)).toMatchObject([{ id }])
    expect(await pushedAt(0, 2 * day, 3 * day)).toEqual([])
  })

  it('what seemed too late to be sent still comes in its time', async () => {
    const { addTodo, pushedAt } = await open()
    await addTodo({ title: 'At an instant', remind_at: at(day) })
    await addTodo({ title: 'When due', due_day: dayAfter(1), reminder: { days_before: 0, time: 30 } })
    expect(await pushedAt(2 * day, 0)).toEqual([])
    expect(await pushedAt(day)).toMatchObject([{ title: 'At an instant' }])
    expect(await pushedAt(day + hour)).toMatchObject([{ title: 'When due' }])
  })

  it("'Remind me in 30 min' reminds in 30 minutes", async () => {
    const { ask, addHabit, pushedAt } = await open()
    const { id } = await addHabit()
    await pushedAt(2 * day + halfPastSeven)
    await ask('POST', `/api/reminders/habit/${id}/later`, {})
    expect(await pushedAt(halfPastSeven + minute)).toEqual([])
    expect(await pushedAt(8 * hour + minute)).toMatchObject([{ id }])
  })

  it('what a push service could not take is tried again soon', async () => {
    const { browser, addTodo, pushedAt } = await open()
    const { id } = await addTodo({ remind_at: at(2 * day) })
    service.respond(browser, { status: 503 })
    await pushedAt(2 * day)
    expect(await pushedAt(hour, hour + 3 * minute)).toMatchObject([{ id }])
  })
})
