import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { listRows } from '#features/lists/list/server/list-rows.ts'
import { instantToWire } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { startMailServer } from '#testing/mail-server.ts'
import { type PushService, type SubscribedBrowser, startPushService } from '#testing/push-service.ts'
import { waitFor } from '#testing/wait.ts'
import { cookieOf, mailedPages, openApplication, password } from '../testing/application.ts'
import { dump } from '../testing/dump.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
// Sign-in sessions start on the machine's clock, so these days come next.
const midnight = Math.floor(Date.now() / day) * day + day
const dayAfter = (days: number) => instantToWire(midnight + days * day).slice(0, 10)
const weekdayAfter = (days: number) =>
  Temporal.PlainDate.from(dayAfter(days)).toLocaleString('en-GB', { weekday: 'long' })
const everyDay = [1, 2, 3, 4, 5, 6, 7]
const halfPastSeven = midnight + 7.5 * hour

describeEachEngine('reminders', (openEmpty) => {
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

  /** Somebody who gets push messages in one browser, from a Daymark whose clock stands still. */
  async function open(mailing: { smtpUrl?: string; mailPatience?: number } = {}) {
    const daymark = openApplication(database, { clock: () => now, pushTo: 'anywhere', ...mailing })
    onTestFinished(() => daymark.pusher.close())
    const person = await daymark.signUp('Ada')
    const ask = async (method: string, path: string, body?: unknown, cookie = person.cookie) => {
      const asked = await daymark.ask(method, path, { cookie, body })
      expect(asked.status, JSON.stringify(asked.body)).toBeLessThan(300)
      return asked.body
    }
    applicationKey = (await ask('GET', '/api/reminders')).public_key
    const browser = service.subscribe()
    const allow = async ({ subscription }: SubscribedBrowser, cookie = person.cookie) =>
      (await ask('PUT', '/api/reminders/devices', subscription, cookie)).device
    const device = await allow(browser)
    const addHabit = async (more: object = {}) => {
      const reminder = { time: 450, weekdays: everyDay }
      const body = { name: 'Read', start_date: '2026-11-01', reminder, ...more }
      return (await ask('POST', '/api/habits', body)).habit
    }
    const addTodo = async (more: object = {}) =>
      (await ask('POST', '/api/todos', { title: 'Water the plants', remind_at: at(hour), ...more })).todo
    const devices = async () => (await ask('GET', '/api/reminders')).devices
    const remindAt = async (instant: number) => {
      now = instant
      const before = service.pushed.length
      await daymark.reminding.remindNow()
      return service.pushed.slice(before)
    }
    /** Somebody else, with a browser and a reminder of their own. */
    const another = async (name: string, remind_at: string) => {
      const { id, email, cookie } = await daymark.signUp(name)
      const other = service.subscribe()
      await allow(other, cookie)
      await ask('POST', '/api/todos', { title: `Of ${name}`, remind_at }, cookie)
      return { id, email, cookie, browser: other }
    }
    return { daymark, person, ask, browser, allow, device, addHabit, addTodo, another, devices, remindAt }
  }

  const at = (since: number) => instantToWire(midnight + since)

  it("a habit's comes at its time, once a day, as a message that only that browser can read", async () => {
    const { person, addHabit, remindAt } = await open()
    const habit = await addHabit()
    expect(habit.reminder).toEqual({ time: 450, weekdays: everyDay })
    expect(await remindAt(halfPastSeven - 1)).toEqual([])
    expect(await remindAt(halfPastSeven)).toEqual([
      {
        browser: 0,
        ttl: 12 * 3600,
        topic: expect.stringMatching(/^[\w-]{32}$/),
        urgency: 'high',
        message: {
          version: 1,
          user: person.id,
          kind: 'habit',
          id: habit.id,
          title: 'Read',
          body: 'Not done yet today',
          until: at(day),
          endedBody: `Not done on ${weekdayAfter(0)}`,
          day: dayAfter(0),
          url: '/habits',
        },
      },
    ])
    expect(await remindAt(halfPastSeven + hour)).toEqual([])
    expect(await remindAt(halfPastSeven + day)).toMatchObject([{ message: { day: dayAfter(1) } }])
  })

  it("a habit's comes only on the chosen weekdays", async () => {
    const { addHabit, remindAt } = await open()
    const weekday = new Date(midnight).getUTCDay() || 7
    await addHabit({ reminder: { time: 0, weekdays: [weekday] } })
    const reminded: number[] = []
    for (let days = 0; days <= 14; days++) {
      if ((await remindAt(midnight + days * day + minute)).length > 0) reminded.push(days)
    }
    expect(reminded).toEqual([7, 14])
  })

  describe('the end of a phase of the focus timer', () => {
    const run = '01900000-0000-7000-8000-00000000000a'
    const place = { cycle: run, number: 1, focused: 0 }
    const focus = { kind: 'focus', minutes: 50, ...place }
    const from = (since: number, phase: object = focus, id = run) => ({
      status: 'running',
      run: { id, stretches: [] },
      since: at(since),
      phase,
    })
    async function timing() {
      const opened = await open()
      const { daymark, person } = opened
      return {
        ...opened,
        /** As a press at that time. */
        async put(timer: object, since: number) {
          now = midnight + since
          const body = { timer, at: at(since) }
          const asked = await daymark.ask('PUT', '/api/focus/timer', { cookie: person.cookie, body })
          expect(asked.status, JSON.stringify(asked.body)).toBe(200)
        },
      }
    }

    it('is pushed where no page is open, once, for as long as it is news', async () => {
      const { person, put, remindAt } = await timing()
      await put(from(hour), hour)
      expect(await remindAt(midnight + hour + 50 * minute - 1)).toEqual([])
      expect(await remindAt(midnight + hour + 50 * minute)).toMatchObject([
        {
          ttl: 600,
          message: {
            version: 1,
            user: person.id,
            kind: 'focus',
            id: run,
            url: '/focus',
            title: "Time's up! Great work!",
            body: 'Take a break!',
          },
        },
      ])
      expect(await remindAt(midnight + hour + 51 * minute)).toEqual([])
    })

    it('is pushed even if a page elsewhere has noticed it a moment before, and begun the break', async () => {
      const { put, remindAt } = await timing()
      await put(from(hour), hour)
      const later = '01900000-0000-8000-8000-00000000000b'
      const resting = { kind: 'break', minutes: 5, ...place, number: 2, focused: 1 }
      const began = from(hour + 50 * minute, resting, later)
      // By the clock of that page, with the instant of the press before.
      now = midnight + hour + 50 * minute - 300
      await put({ ...began, run: { ...began.run, follows: run } }, hour)
      const [pushed] = await remindAt(midnight + hour + 50 * minute)
      expect(pushed?.message).toMatchObject({ id: run, title: "Time's up! Great work!" })
      const [ended] = await remindAt(midnight + hour + 55 * minute)
      expect(ended?.message).toMatchObject({ id: later, title: 'The break is over' })
    })

    it('is not pushed of what was paused, reset, or left for another run', async () => {
      const { put, remindAt } = await timing()
      await put(from(hour), hour)
      const { since, ...rest } = from(hour)
      const run = { ...rest.run, stretches: [{ from: at(hour), to: at(hour + minute) }] }
      await put({ ...rest, run, status: 'paused' }, hour + minute)
      expect(await remindAt(midnight + 2 * hour)).toEqual([])
      await put({ ...rest, run, status: 'running', since: at(2 * hour) }, 2 * hour)
      await put({ status: 'idle', follows: run.id }, 2 * hour + minute)
      expect(await remindAt(midnight + 3 * hour)).toEqual([])
    })

    it('asks after four hours whether a person who counts up is still going', async () => {
      const { put, remindAt } = await timing()
      await put(from(hour, { kind: 'flow', minutes: null, ...place }), hour)
      const [pushed] = await remindAt(midnight + 5 * hour)
      expect(pushed?.message).toMatchObject({ title: 'Are you still focusing?', url: '/focus' })
    })

    it('is not pushed more than ten minutes late', async () => {
      const { put, remindAt } = await timing()
      await put(from(hour), hour)
      expect(await remindAt(midnight + 2 * hour + minute)).toEqual([])
    })
  })

  it('none comes of a to-do in an archived list, until the list is out of the archive', async () => {
    const { person, addTodo, remindAt } = await open()
    const list = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
    const [home, archived, gone] = [list(1), list(2), list(3)]
    const store = async (id: string, archived_at: string | null, deleted_at: number | null = null) => {
      const row = listRows.newRow(person.id, id, { name: 'Some', position: 'a0', archived_at }, now)
      await database.write((tx) =>
        tx
          .insertInto('lists')
          .values({ ...row, deleted_at })
          .execute(),
      )
    }
    await store(home, null)
    await store(archived, at(0))
    // It was deleted while it was archived: its to-dos are in none.
    await store(gone, at(0), now)
    for (const [title, list_id] of [
      ['Here', home],
      ['Put away', archived],
      ['Of a deleted list', gone],
      ['Of a list that has not arrived', list(4)],
    ] as const) {
      for (const due of [hour, 3 * hour]) await addTodo({ title, list_id, remind_at: at(due) })
    }
    const titles = async (instant: number) =>
      (await remindAt(instant)).map(({ message }) => message.title).toSorted()
    const others = ['Here', 'Of a deleted list', 'Of a list that has not arrived']
    expect(await titles(midnight + hour)).toEqual(others)
    await database.write((tx) =>
      tx.updateTable('lists').set({ archived_at: null }).where('id', '=', archived).execute(),
    )
    expect(await titles(midnight + 2 * hour)).toEqual([])
    expect(await titles(midnight + 3 * hour)).toEqual([...others, 'Put away'])
  })

  it("a to-do's comes once, and says when the task is due", async () => {
    const { person, addTodo, remindAt } = await open()
    const todo = await addTodo({ due_day: dayAfter(1) })
    expect(todo).toMatchObject({ due_day: dayAfter(1), remind_at: at(hour) })
    expect(await remindAt(midnight + hour)).toMatchObject([
      {
        message: {
          version: 1,
          user: person.id,
          kind: 'todo',
          id: todo.id,
          title: 'Water the plants',
          body: 'Due tomorrow',
          url: '/todos',
        },
      },
    ])
    expect(await remindAt(midnight + 2 * hour)).toEqual([])
  })

  it('none comes for what is done, deleted or undone', async () => {
    const { ask, addHabit, addTodo, remindAt } = await open()
    const week = await addHabit({ name: 'Once a week', frequency: 'weekly' })
    const today = await addHabit({ name: 'Every day' })
    const deleted = await addHabit({ name: 'Deleted' })
    const ended = await addHabit({ name: 'Not reminded of any more' })
    // Today the week may begin.
    await ask('POST', `/api/habits/${week.id}/complete`, { date: dayAfter(0), completed: true })
    await ask('POST', `/api/habits/${today.id}/complete`)
    await ask('DELETE', `/api/habits/${deleted.id}`)
    await ask('PUT', `/api/habits/${ended.id}`, { reminder: null })
    const [done, gone, put, later] = [await addTodo(), await addTodo(), await addTodo(), await addTodo()]
    await ask('PUT', `/api/todos/${done.id}`, { completed: 1 })
    await ask('DELETE', `/api/todos/${gone.id}`)
    await ask('PUT', `/api/todos/${put.id}/edit`, { remind_at: null })
    await ask('PUT', `/api/todos/${later.id}/edit`, { remind_at: at(20 * hour) })
    expect(await remindAt(halfPastSeven + minute)).toEqual([])
    expect(await remindAt(midnight + 20 * hour)).toMatchObject([{ message: { id: later.id } }])
  })

  it('of a habit comes only while it is left to do, and says how far it is', async () => {
    const { ask, addHabit, remindAt } = await open()
    const gym = await addHabit({ name: 'Gym', rhythm: { times: 7, per: 'week' } })
    const water = await addHabit({
      name: 'Drink water',
      target: { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' },
    })
    const skipped = await addHabit({ name: 'Skipped' })
    const paused = await addHabit({ name: 'Paused' })
    const archived = await addHabit({ name: 'Archived' })
    const [today, tomorrow] = [dayAfter(0), dayAfter(1)]
    await ask('POST', `/api/habits/${water.id}/amounts`, { day: today, value: 2_500 })
    await ask('PUT', `/api/habits/${skipped.id}/days/${at(8 * hour).slice(0, 10)}`, {
      state: 'skipped',
    })
    await ask('POST', '/api/pauses', { habit_id: paused.id, from_day: today, to_day: tomorrow })
    await ask('PUT', `/api/habits/${archived.id}`, { archived_at: at(0) })
    // Seven times a week is possible only for whoever has missed no day of it.
    const week = Temporal.PlainDate.from(today).dayOfWeek
    for (let day = 1; day < week; day += 1) {
      await ask('POST', `/api/habits/${gym.id}/complete`, { date: dayAfter(day - week), completed: true })
    }
    const bodies = async (instant: number) =>
      Object.fromEntries((await remindAt(instant)).map(({ message }) => [message.title, message.body]))
    expect(await bodies(halfPastSeven)).toEqual({
      Gym: `Not done yet today, ${week - 1} of 7 this week`,
      'Drink water': 'Not done yet today, 2.5 of 8 glasses',
    })
    expect(await remindAt(midnight + day)).toEqual([])
    await ask('POST', `/api/habits/${water.id}/complete`, { date: tomorrow, completed: true })
    const next = await bodies(halfPastSeven + day)
    expect(Object.keys(next).toSorted()).toEqual(week === 7 ? ['Gym', 'Skipped'] : ['Skipped'])
  })

  it('one comes after all if the deletion or completion is undone in time', async () => {
    const { ask, addHabit, addTodo, remindAt } = await open()
    const habit = await addHabit()
    await ask('DELETE', `/api/habits/${habit.id}`)
    await ask('POST', `/api/habits/${habit.id}/restore`)
    const todo = await addTodo({ remind_at: at(7 * hour) })
    await ask('PUT', `/api/todos/${todo.id}`, { completed: 1 })
    await ask('PUT', `/api/todos/${todo.id}`, { completed: 0 })
    const pushed = await remindAt(halfPastSeven)
    expect(pushed.map(({ message }) => message.id).toSorted()).toEqual([habit.id, todo.id].toSorted())
    // It has been sent: reopening does not send it again.
    await ask('PUT', `/api/todos/${todo.id}`, { completed: 1 })
    await ask('PUT', `/api/todos/${todo.id}`, { completed: 0 })
    expect(await remindAt(halfPastSeven + hour)).toEqual([])
  })

  it('one comes for a row that a later change has restored', async () => {
    const { ask, addHabit, addTodo, remindAt } = await open()
    const [habit, todo] = [await addHabit(), await addTodo({ remind_at: at(7 * hour) })]
    now = midnight + 20 * minute
    await ask('DELETE', `/api/habits/${habit.id}?at=${at(10 * minute)}`)
    await ask('DELETE', `/api/todos/${todo.id}?at=${at(10 * minute)}`)
    await ask('PUT', `/api/habits/${habit.id}`, { name: 'Walk on', at: at(11 * minute) })
    await ask('PUT', `/api/todos/${todo.id}/edit`, { title: 'Call again', at: at(11 * minute) })
    const pushed = await remindAt(halfPastSeven)
    expect(pushed.map(({ message }) => message.id).toSorted()).toEqual([habit.id, todo.id].toSorted())
  })

  it('a change that arrives twice, or late, sends nothing a second time', async () => {
    const { ask, addTodo, remindAt } = await open()
    const [set, reopened, restored] = [await addTodo(), await addTodo(), await addTodo()]
    const setAgain = () =>
      ask('PUT', `/api/todos/${set.id}/edit`, { remind_at: at(hour), at: at(10 * minute) })
    const restore = (since: number) => ask('POST', `/api/todos/${restored.id}/restore?at=${at(since)}`)
    now = midnight + 20 * minute
    await setAgain()
    await ask('DELETE', `/api/todos/${restored.id}`)
    await restore(20 * minute)
    expect(await remindAt(midnight + hour)).toHaveLength(3)
    now = midnight + 1.5 * hour
    await setAgain()
    await restore(20 * minute)
    await ask('PUT', `/api/todos/${reopened.id}`, { completed: 1, at: at(30 * minute) })
    await ask('PUT', `/api/todos/${reopened.id}`, { completed: 0, at: at(31 * minute) })
    await ask('DELETE', `/api/todos/${restored.id}?at=${at(40 * minute)}`)
    await restore(41 * minute)
    expect(await remindAt(midnight + 1.5 * hour)).toEqual([])
  })

  it('a to-do reopened in time is reminded of when that change arrives, though late', async () => {
    const { ask, addTodo, remindAt } = await open()
    const todo = await addTodo()
    await ask('PUT', `/api/todos/${todo.id}`, { completed: 1 })
    expect(await remindAt(midnight + hour)).toEqual([])
    now = midnight + 1.5 * hour
    await ask('PUT', `/api/todos/${todo.id}`, { completed: 0, at: at(50 * minute) })
    expect(await remindAt(midnight + 1.5 * hour)).toMatchObject([{ message: { id: todo.id } }])
  })

  it("setting the same reminder of a habit again leaves 'Remind me in 30 min' as it is", async () => {
    const { ask, addHabit, remindAt } = await open()
    const habit = await addHabit()
    await remindAt(halfPastSeven)
    await ask('POST', `/api/reminders/habit/${habit.id}/later`)
    await ask('PUT', `/api/habits/${habit.id}`, { reminder: { time: 450, weekdays: everyDay } })
    expect(await remindAt(halfPastSeven + 30 * minute)).toMatchObject([{ message: { id: habit.id } }])
  })

  it("a habit's comes by the clock of the zone that the person is in by then, and never twice for one day", async () => {
    const { ask, addHabit, remindAt } = await open()
    await addHabit()
    // Half past seven in Tokyo is half past ten the evening before, in UTC.
    await ask('PATCH', '/api/preferences', { time_zone: 'Asia/Tokyo' })
    expect(await remindAt(midnight + 22 * hour)).toEqual([])
    expect(await remindAt(midnight + 22.5 * hour)).toMatchObject([{ message: { day: dayAfter(1) } }])
    await ask('PATCH', '/api/preferences', { time_zone: 'UTC' })
    expect(await remindAt(midnight + day + 7.5 * hour)).toEqual([])
    expect(await remindAt(midnight + 2 * day + 7.5 * hour)).toMatchObject([{ message: { day: dayAfter(2) } }])
  })

  it('one comes by the clock of a zone that the runtime calls by a former name', async () => {
    const { ask, addHabit, remindAt } = await open()
    await addHabit()
    // Half past seven in Kathmandu is 1:45 in UTC.
    await ask('PATCH', '/api/preferences', { time_zone: 'Asia/Kathmandu' })
    expect(await remindAt(midnight + day + 104 * minute)).toEqual([])
    expect(await remindAt(midnight + day + 105 * minute)).toMatchObject([{ message: { day: dayAfter(1) } }])
  })

  it("a habit's counts for the person's day: before their day starts, for the previous one", async () => {
    const { ask, addHabit, remindAt } = await open()
    await ask('PATCH', '/api/preferences', { day_start: 180 })
    await addHabit({ reminder: { time: 60, weekdays: everyDay } })
    expect(await remindAt(midnight + day + hour)).toMatchObject([{ message: { day: dayAfter(0) } }])
  })

  it("'Remind me in 30 min' sends it again then, for the same day; it moves a to-do's reminder", async () => {
    const { ask, addHabit, addTodo, remindAt } = await open()
    const habit = await addHabit({ reminder: { time: 1430, weekdays: everyDay } })
    const [first] = await remindAt(midnight + 1430 * minute)
    // Pressed after midnight, it is still about the previous day.
    now = midnight + day + 5 * minute
    const again = await ask('POST', `/api/reminders/habit/${habit.id}/later`, { day: first?.message.day })
    expect(again).toEqual({ remind_at: at(day + 35 * minute) })
    expect(await remindAt(midnight + day + 34 * minute)).toEqual([])
    expect(await remindAt(midnight + day + 35 * minute)).toMatchObject([{ message: { day: dayAfter(0) } }])

    const todo = await addTodo({ remind_at: at(26 * hour) })
    await remindAt(midnight + 26 * hour)
    await ask('POST', `/api/reminders/todo/${todo.id}/later`)
    expect((await ask('GET', '/api/todos')).todos[0].remind_at).toBe(at(26.5 * hour))
    expect(await remindAt(midnight + 26.5 * hour)).toMatchObject([{ message: { id: todo.id } }])
  })

  it("'Remind me in 30 min' on an old notification leaves a later reminder that was set since, and says what is done", async () => {
    const { ask, daymark, person, addHabit, addTodo } = await open()
    const todo = await addTodo({ remind_at: at(7 * day) })
    now = midnight + 8 * hour
    expect(await ask('POST', `/api/reminders/todo/${todo.id}/later`)).toEqual({ remind_at: at(7 * day) })
    expect((await ask('GET', '/api/todos')).todos[0].remind_at).toBe(at(7 * day))

    const habit = await addHabit()
    await ask('PUT', `/api/todos/${todo.id}`, { completed: 1 })
    await ask('POST', `/api/habits/${habit.id}/complete`)
    const skipped = await addHabit()
    await ask('PUT', `/api/habits/${skipped.id}/days/${at(8 * hour).slice(0, 10)}`, {
      state: 'skipped',
    })
    const done = [`todo/${todo.id}`, `habit/${habit.id}`, `habit/${skipped.id}`]
    for (const each of done) {
      const asked = await daymark.ask('POST', `/api/reminders/${each}/later`, { cookie: person.cookie })
      const message = "There's nothing left to do, so there's nothing to remind you about."
      expect(asked).toMatchObject({ status: 422, body: { code: 'DONE_ALREADY', message } })
    }
  })

  it("'Remind me in 30 min' sends nothing for what was done meanwhile, and is a 404 for what does not exist", async () => {
    const { ask, daymark, person, addHabit, remindAt } = await open()
    const habit = await addHabit()
    await remindAt(halfPastSeven)
    await ask('POST', `/api/reminders/habit/${habit.id}/later`)
    await ask('POST', `/api/habits/${habit.id}/complete`)
    expect(await remindAt(halfPastSeven + hour)).toEqual([])
    for (const kind of ['habit', 'todo']) {
      const path = `/api/reminders/${kind}/01900000-0000-7000-8000-000000000001/later`
      expect((await daymark.ask('POST', path, { cookie: person.cookie })).status).toBe(404)
    }
    const elsewhere = `/api/reminders/focus/${habit.id}/later`
    expect((await daymark.ask('POST', elsewhere, { cookie: person.cookie })).status).toBe(404)
  })

  it('a press on a notification of a former user of the browser does nothing for the current one', async () => {
    const { daymark, person, addHabit } = await open()
    const habit = await addHabit()
    const eve = await daymark.signUp('Eve')
    const before = await dump(database, person.id)
    for (const path of [`/api/reminders/habit/${habit.id}/later`, `/api/habits/${habit.id}/complete`]) {
      const headers = { 'x-daymark-user': person.id }
      const asked = await daymark.ask('POST', path, { cookie: eve.cookie, headers, body: {} })
      expect(asked).toMatchObject({ status: 401, body: { code: 'SIGNED_IN_AS_SOMEONE_ELSE' } })
    }
    expect(await dump(database, person.id)).toEqual(before)
  })

  it('what became due while nothing ran is sent once within twelve hours; older reminders are skipped and counted', async () => {
    const { daymark, addHabit, addTodo, remindAt } = await open()
    await addTodo({ title: 'Eleven hours ago', remind_at: at(3 * day + hour) })
    await addTodo({ title: 'Thirteen hours ago', remind_at: at(3 * day - hour) })
    await addHabit()
    const pushed = await remindAt(midnight + 3 * day + 12 * hour)
    expect(pushed.map(({ message }) => message.title).toSorted()).toEqual(['Eleven hours ago', 'Read'])
    expect(pushed.find(({ message }) => message.kind === 'habit')?.message.day).toBe(dayAfter(3))
    // Three mornings of the habit, and one to-do.
    expect(daymark.lines.join()).toContain('"skipped":4')
    expect(await remindAt(midnight + 3 * day + 13 * hour)).toEqual([])
  })

  it('one reaches every allowed device, and none twice', async () => {
    const { daymark, person, allow, addTodo, devices, remindAt } = await open()
    const { email } = person
    const phone = { 'user-agent': 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0' }
    const signedIn = await daymark.ask('POST', '/api/auth/sign-in/email', {
      body: { email, password },
      headers: phone,
    })
    const cookie = signedIn.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ')
    const device = await allow(service.subscribe(), cookie)
    expect(device).toMatchObject({ name: 'Firefox on Android', last_delivery: null })
    await addTodo()
    const pushed = await remindAt(midnight + hour)
    expect(pushed.map(({ browser }) => browser).toSorted()).toEqual([0, 1])
    expect(await devices()).toMatchObject([
      { last_delivery: { at: at(hour), outcome: 'delivered' } },
      { last_delivery: { at: at(hour), outcome: 'delivered' } },
    ])
  })

  it.each([404, 410])('a subscription that is gone (%i) is removed', async (status) => {
    const { browser, addTodo, devices, remindAt } = await open()
    service.respond(browser, { status })
    await addTodo()
    expect(await remindAt(midnight + hour)).toEqual([])
    expect(await devices()).toEqual([])
    expect((await dump(database)).deliveries).toEqual([])
  })

  it('none is pushed by a server that sends no pushes, to new devices or old ones, until it does again', async () => {
    const { person, browser, device, addTodo, devices, remindAt } = await open()
    await addTodo({ title: 'While it is off' })
    await addTodo({ title: 'Afterwards', remind_at: at(2 * hour) })
    const off = openApplication(database, { clock: () => now, pushTo: 'nowhere' })
    const askOff = (method: string, path: string, body?: unknown) =>
      off.ask(method, path, { cookie: person.cookie, body })
    expect((await askOff('GET', '/api/reminders')).body).toMatchObject({ public_key: null, devices: [] })
    const refused = { status: 422, body: { code: 'PUSH_UNAVAILABLE' } }
    expect(await askOff('PUT', '/api/reminders/devices', browser.subscription)).toMatchObject(refused)
    expect(await askOff('POST', `/api/reminders/devices/${device.id}/test`)).toMatchObject(refused)
    now = midnight + hour
    await off.reminding.remindNow()
    expect(service.pushed).toEqual([])
    expect(await database.read.selectFrom('deliveries').selectAll().execute()).toEqual([])

    expect(await devices()).toEqual([device])
    expect(await remindAt(midnight + 2 * hour)).toMatchObject([{ message: { title: 'Afterwards' } }])
  })

  it('one that is refused for another reason is logged, and not tried again', async () => {
    const { browser, addTodo, devices, remindAt } = await open()
    service.respond(browser, { status: 403 })
    await addTodo()
    expect(await remindAt(midnight + hour)).toEqual([])
    expect(await devices()).toMatchObject([{ last_delivery: { outcome: 'refused' } }])
    expect(await remindAt(midnight + 2 * hour)).toEqual([])
  })

  it('an unreachable push service is tried again, later each time, and as late as it asks', async () => {
    const { browser, addTodo, devices, remindAt } = await open()
    service.respond(browser, { status: 503 }, { status: 500 }, { status: 429, retryAfter: '600' })
    await addTodo()
    const due = midnight + hour
    expect(await remindAt(due)).toEqual([])
    expect(await devices()).toMatchObject([{ last_delivery: { outcome: 'unreachable' } }])
    expect(await remindAt(due + 29_000)).toEqual([])
    expect(await remindAt(due + 30_000)).toEqual([])
    expect(await remindAt(due + 89_000)).toEqual([])
    expect(await remindAt(due + 90_000)).toEqual([])
    expect(await remindAt(due + 689_000)).toEqual([])
    expect(await remindAt(due + 690_000)).toMatchObject([{ ttl: 12 * 3600 - 690 }])
    expect(await devices()).toMatchObject([{ last_delivery: { outcome: 'delivered' } }])
  })

  it('one that is sent after its day is over names that day, by push and by mail', async () => {
    const smtp = await startMailServer()
    onTestFinished(() => smtp.stop())
    const { daymark, person, ask, browser, addHabit, remindAt } = await open({ smtpUrl: smtp.url })
    const { adapter } = await daymark.auth.$context
    const where = [{ field: 'id', value: person.id }]
    await adapter.update({ model: 'user', where, update: { emailVerified: true } })
    await ask('PATCH', '/api/reminders', { mail: true })
    await addHabit({ reminder: { time: 1439, weekdays: everyDay } })
    service.respond(browser, { status: 503 })
    smtp.refuse(451)
    expect(await remindAt(midnight + 1439 * minute)).toEqual([])
    const [pushed] = await remindAt(midnight + day + minute)
    expect(pushed?.message).toMatchObject({ body: `Not done on ${weekdayAfter(0)}`, day: dayAfter(0) })
    expect(pushed?.message).not.toHaveProperty('until')
    expect((await smtp.mailTo(person.email)).text).toContain(`Read: not done on ${weekdayAfter(0)}.`)
  })

  it('one that waits for another attempt is dropped if the task is done meanwhile', async () => {
    const { ask, browser, addTodo, remindAt } = await open()
    service.respond(browser, { status: 503 })
    const todo = await addTodo()
    await remindAt(midnight + hour)
    await ask('PUT', `/api/todos/${todo.id}`, { completed: 1 })
    expect(await remindAt(midnight + 2 * hour)).toEqual([])
    expect((await dump(database)).deliveries).toEqual([])
  })

  it('one is given up after twelve hours', async () => {
    const { browser, addTodo, remindAt } = await open()
    service.respond(browser, { status: 503, retryAfter: String(13 * 3600) })
    await addTodo()
    await remindAt(midnight + hour)
    expect((await dump(database)).deliveries).toEqual([])
  })

  it('two processes at the same moment send one once', async () => {
    const { daymark, addTodo } = await open()
    const other = openApplication(database, { clock: () => now, pushTo: 'anywhere' })
    onTestFinished(() => other.pusher.close())
    for (let todos = 0; todos < 60; todos++) await addTodo()
    now = midnight + hour
    service.takes(5)
    await Promise.all([daymark, other].map(({ reminding }) => reminding.remindNow()))
    await daymark.reminding.remindNow()
    const ids = service.pushed.map(({ message }) => message.id)
    expect(ids).toHaveLength(60)
    expect(new Set(ids).size).toBe(60)
  })

  it('what another process had claimed when it was killed is sent once its claim has expired', async () => {
    const { addTodo, remindAt } = await open()
    await addTodo()
    now = midnight + hour
    await database.write((tx) =>
      tx
        .insertInto('deliveries')
        .columns(['user_id', 'kind', 'row_id', 'target', 'day', 'due_at', 'send_at', 'tries', 'claim'])
        .expression((eb) =>
          eb
            .selectFrom('alarms')
            .innerJoin('push_devices', 'push_devices.user_id', 'alarms.user_id')
            .select(({ ref, lit, val }) => [
              'alarms.user_id',
              'kind',
              'row_id',
              'push_devices.id as target',
              'day',
              'due_at',
              ref('due_at').as('send_at'),
              lit(0).as('tries'),
              val('of a process that was killed').as('claim'),
            ]),
        )
        .execute(),
    )
    await database.write((tx) => tx.deleteFrom('alarms').execute())
    await database.write((tx) =>
      tx
        .updateTable('deliveries')
        .set({ send_at: now + 16_000 })
        .execute(),
    )
    expect(await remindAt(now + 15_999)).toEqual([])
    expect(await remindAt(midnight + hour + 16_000)).toHaveLength(1)
  })

  it('a browser that does not respond delays nobody else', async () => {
    const { daymark, browser, addTodo, another } = await open()
    const respond = service.hold(browser)
    for (let todos = 0; todos < 20; todos++) await addTodo()
    const bob = await another('Bob', at(hour + minute))
    now = midnight + hour + minute
    const reminded = daymark.reminding.remindNow()
    await waitFor(() => expect(service.arrived(bob.browser)).toBe(1))
    respond()
    await reminded
    expect(service.pushed).toHaveLength(21)
  })

  it.each(['habit', 'todo'])('a reminder of a %s that cannot be sent delays nobody else', async (kind) => {
    const { daymark, person, ask, addHabit, addTodo, another, remindAt } = await open()
    if (kind === 'habit') await addHabit({ reminder: { time: 30, weekdays: everyDay } })
    else await addTodo()
    await another('Bob', at(hour + minute))
    // A zone that only a later or an earlier Node knows.
    await ask('PATCH', '/api/preferences', { time_zone: 'Asia/Tokyo' })
    await database.write(async (tx) => {
      await tx.updateTable('preferences').set({ time_zone: 'Mars/Olympus' }).execute()
      await tx
        .updateTable('alarms')
        .set({ due_at: midnight + hour })
        .where('user_id', '=', person.id)
        .execute()
    })
    expect(await remindAt(midnight + hour + minute)).toMatchObject([{ message: { title: 'Of Bob' } }])
    expect(daymark.lines.filter((line) => line.includes('"level":50'))).toHaveLength(1)
    await database.write((tx) => tx.updateTable('preferences').set({ time_zone: 'UTC' }).execute())
    expect(await remindAt(midnight + 2 * hour + minute)).toHaveLength(kind === 'habit' ? 0 : 1)
    expect((await dump(database, person.id)).deliveries).toEqual([])
  })

  it('one that no process could send for more than twelve hours is skipped and counted', async () => {
    const { daymark, browser, addTodo, remindAt } = await open()
    service.respond(browser, { status: 503 })
    await addTodo()
    await remindAt(midnight + hour)
    expect(await remindAt(midnight + 14 * hour)).toEqual([])
    expect(daymark.lines.join()).toContain('"skipped":1')
    expect((await dump(database)).deliveries).toEqual([])
  })

  describe('a device', () => {
    it('that gets a new subscription while the old one is found to be gone stays, and gets its reminders', async () => {
      const { daymark, browser, allow, addTodo, devices, remindAt } = await open()
      service.respond(browser, { status: 410 })
      const respond = service.hold(browser)
      await addTodo()
      now = midnight + hour
      const reminded = daymark.reminding.remindNow()
      await waitFor(() => expect(service.arrived(browser)).toBe(1))
      const renewed = service.subscribe()
      await allow(renewed)
      respond()
      await reminded
      await remindAt(midnight + hour)
      expect(await devices()).toHaveLength(1)
      expect(service.pushed).toMatchObject([{ browser: renewed.number }])
    })

    it('gets no reminders of a former user', async () => {
      const { browser, allow, daymark, devices, addTodo, remindAt } = await open()
      await addTodo()
      const eve = await daymark.signUp('Eve')
      await allow(browser, eve.cookie)
      expect(await remindAt(midnight + hour)).toEqual([])
      expect(await devices()).toEqual([])
    })

    it('is one of at most twenty: the one that was used longest ago is dropped', async () => {
      const { daymark, person, device, allow, devices } = await open()
      const session = { email: person.email, password }
      for (let more = 0; more < 20; more++) {
        const signedIn = await daymark.ask('POST', '/api/auth/sign-in/email', { body: session })
        await allow(service.subscribe(), cookieOf(signedIn))
      }
      const ids = (await devices()).map(({ id }: { id: string }) => id)
      expect(ids).toHaveLength(20)
      expect(ids).not.toContain(device.id)
    })

    it('can be sent a test, and shows what became of it', async () => {
      const { ask, browser, device, devices } = await open()
      const test = () => ask('POST', `/api/reminders/devices/${device.id}/test`)
      expect(await test()).toEqual({ outcome: 'delivered' })
      expect(service.pushed).toMatchObject([
        { ttl: 60, message: { kind: 'test', id: device.id, title: 'Reminders work on this device' } },
      ])
      service.respond(browser, { status: 500 }, { status: 400 }, { status: 410 })
      expect(await test()).toEqual({ outcome: 'unreachable' })
      expect(await test()).toEqual({ outcome: 'refused' })
      expect(await devices()).toMatchObject([{ last_delivery: { outcome: 'refused' } }])
      expect(await test()).toEqual({ outcome: 'refused' })
      expect(await devices()).toEqual([])
    })

    it("gets the same test result whether its push service is in the server's private network or nowhere", async () => {
      const daymark = openApplication(database, {
        lookUp(hostname, _, found) {
          if (hostname === 'nowhere.example') found(new Error('ENOTFOUND'), [])
          else found(null, [{ address: '10.0.0.7', family: 4 }])
        },
      })
      onTestFinished(() => daymark.pusher.close())
      const testOutcome = async (name: string, host: string) => {
        const { cookie } = await daymark.signUp(name)
        const { keys } = service.subscribe().subscription
        const body = { endpoint: `https://${host}/push`, keys }
        const { device } = (await daymark.ask('PUT', '/api/reminders/devices', { cookie, body })).body
        const asked = await daymark.ask('POST', `/api/reminders/devices/${device.id}/test`, { cookie })
        const { devices } = (await daymark.ask('GET', '/api/reminders', { cookie })).body
        return [asked.status, asked.body, devices[0].last_delivery.outcome]
      }
      expect(await testOutcome('Ada', 'printer.example')).toEqual([
        200,
        { outcome: 'unreachable' },
        'unreachable',
      ])
      expect(await testOutcome('Eve', 'nowhere.example')).toEqual([
        200,
        { outcome: 'unreachable' },
        'unreachable',
      ])
    })

    it('stays one if it is allowed again or gets a new subscription', async () => {
      const { browser, allow, device, devices } = await open()
      expect(await allow(browser)).toMatchObject({ id: device.id })
      expect(await allow(service.subscribe())).toMatchObject({ id: device.id })
      expect(await devices()).toHaveLength(1)
    })

    it('stays one even if two tabs allow it at once', async () => {
      const { allow, devices } = await open()
      const other = service.subscribe()
      await Promise.all([allow(other), allow(other), allow(service.subscribe())])
      expect(await devices()).toHaveLength(1)
    })

    it('can be removed from the list', async () => {
      const { ask, device, devices, addTodo, remindAt } = await open()
      await addTodo()
      expect(await ask('DELETE', `/api/reminders/devices/${device.id}`)).toEqual({ success: true })
      expect(await devices()).toEqual([])
      expect(await remindAt(midnight + hour)).toEqual([])
    })

    it.each([
      ['signing out', '/api/auth/sign-out', undefined],
      ['ending all sign-in sessions', '/api/auth/revoke-sessions', undefined],
      [
        'a new password',
        '/api/auth/change-password',
        { currentPassword: password, newPassword: 'another password' },
      ],
      ['deleting the account', '/api/auth/delete-user', { password }],
    ])('ends with %s', async (_, path, body) => {
      const { ask, addTodo, remindAt } = await open()
      await addTodo()
      await ask('POST', path, body)
      expect((await dump(database)).push_devices).toEqual([])
      expect(await remindAt(midnight + hour)).toEqual([])
    })

    it('ends when its sign-in session expires, even before the cleanup', async () => {
      const { addTodo, remindAt } = await open()
      await addTodo({ remind_at: at(40 * day) })
      expect(await remindAt(midnight + 40 * day)).toEqual([])
    })

    it.each([
      ['http://push.example/x', 'Expected an https address without a port'],
      ['https://push.example:8443/x', 'Expected an https address without a port'],
      ['https://127.0.0.1/x', "Addresses on a private network aren't allowed"],
      ['https://[::1]/x', "Addresses on a private network aren't allowed"],
      ['https://2130706433/x', "Addresses on a private network aren't allowed"],
      ['https://10.0.0.7/x', "Addresses on a private network aren't allowed"],
      ['https://printer.localhost/x', "Addresses on a private network aren't allowed"],
      ['https://ada:secret@push.example/x', "Addresses with a password aren't allowed"],
      ['file:///etc/passwd', 'Expected an https address without a port'],
      ['push', 'Expected an address such as https://push.example/…'],
    ])('is not accepted at %s', async (endpoint, message) => {
      const daymark = openApplication(database)
      const { cookie } = await daymark.signUp('Eve')
      const { subscription } = service.subscribe()
      const asked = await daymark.ask('PUT', '/api/reminders/devices', {
        cookie,
        body: { ...subscription, endpoint },
      })
      expect(asked).toMatchObject({ status: 400, body: { fields: { endpoint: message } } })
      expect((await dump(database)).push_devices).toEqual([])
    })

    it.each([
      ['keys.p256dh', { keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: 'A'.repeat(22) } }],
      ['keys.p256dh', { keys: { p256dh: 'AAAA', auth: 'A'.repeat(22) } }],
      ['keys.auth', { keys: { p256dh: 'A'.repeat(87), auth: 'short' } }],
      ['endpoint', { endpoint: `https://push.example/${'x'.repeat(2_000)}` }],
    ])('is not accepted with a wrong %s', async (field, wrong) => {
      const daymark = openApplication(database)
      const { cookie } = await daymark.signUp('Eve')
      const body = { ...service.subscribe().subscription, endpoint: 'https://push.example/x', ...wrong }
      const asked = await daymark.ask('PUT', '/api/reminders/devices', { cookie, body })
      expect(asked).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } })
    })
  })

  describe('by mail', () => {
    async function openMailed(mailPatience?: number) {
      const smtp = await startMailServer()
      onTestFinished(() => smtp.stop())
      const opened = await open({ smtpUrl: smtp.url, ...(mailPatience && { mailPatience }) })
      const { daymark, person } = opened
      const { adapter } = await daymark.auth.$context
      const confirm = (user = person.id) =>
        adapter.update({
          model: 'user',
          where: [{ field: 'id', value: user }],
          update: { emailVerified: true },
        })
      return { ...opened, smtp, confirm }
    }

    it('are sent to whoever chose that and confirmed the address', async () => {
      const { daymark, person, ask, smtp, confirm, addHabit, remindAt } = await openMailed()
      const choose = () =>
        daymark.ask('PATCH', '/api/reminders', { cookie: person.cookie, body: { mail: true } })
      expect((await ask('GET', '/api/reminders')).mail).toEqual({ available: false, on: false })
      expect(await choose()).toMatchObject({ status: 422, body: { code: 'MAIL_UNAVAILABLE' } })
      await confirm()
      expect((await choose()).body).toEqual({ mail: true })
      expect((await ask('GET', '/api/reminders')).mail).toEqual({ available: true, on: true })
      await addHabit({ name: 'Read\r\nBcc: eve@example.org' })
      await remindAt(halfPastSeven)
      const mail = await smtp.mailTo(person.email)
      expect(mail.headers.get('subject')).toBe('Read Bcc: eve@example.org')
      expect(mail.headers.get('auto-submitted')).toBe('auto-generated')
      expect(mail.recipients).toEqual([person.email])
      expect(mail.text).toContain('not done yet today.')
      expect(mail.link).toBe(`${mailedPages}/habits`)
      expect(service.pushed).toHaveLength(1)

      await ask('PATCH', '/api/reminders', { mail: false })
      await remindAt(halfPastSeven + day)
      expect(service.pushed).toHaveLength(2)
      expect(smtp.mails).toHaveLength(1)
    })

    it('are sent once, even if it takes longer than expected', async () => {
      const { daymark, person, ask, smtp, confirm, addTodo, another } = await openMailed()
      await confirm()
      await ask('PATCH', '/api/reminders', { mail: true })
      await addTodo()
      // Somebody else's, because people whose mail is slow wait for it.
      const eve = await another('Eve', at(2 * hour))
      await confirm(eve.id)
      await ask('PATCH', '/api/reminders', { mail: true }, eve.cookie)
      const [before, respond] = [smtp.begun(), smtp.freeze()]
      now = midnight + hour
      const first = daymark.reminding.remindNow()
      await waitFor(() => expect(smtp.begun()).toBe(before + 1))
      // By now the claim on the first has expired, and another comes due.
      now = midnight + 2 * hour
      const second = daymark.reminding.remindNow()
      await waitFor(() => expect(smtp.begun()).toBe(before + 2))
      respond()
      await Promise.all([first, second])
      const recipients = smtp.mails.flatMap((mail) => mail.recipients)
      expect(recipients.toSorted()).toEqual([person.email, eve.email].toSorted())
      expect((await dump(database)).deliveries).toEqual([])
    })

    it('are given up for now if the server does not respond, and delay no push', async () => {
      const { ask, smtp, confirm, addTodo, remindAt } = await openMailed(2_000)
      await confirm()
      await ask('PATCH', '/api/reminders', { mail: true })
      for (let todos = 0; todos < 10; todos++) await addTodo()
      const [before, respond] = [smtp.begun(), smtp.freeze()]
      expect(await remindAt(midnight + hour)).toHaveLength(10)
      // Nobody has more than two in progress, and the others are not tried in vain.
      expect(smtp.begun()).toBe(before + 2)
      expect((await dump(database)).deliveries).toHaveLength(10)
      await waitFor(() => expect(smtp.connections()).toBe(0))
      respond()
    })

    it('pushes do not wait for mail that nobody accepts', async () => {
      const { daymark, ask, browser, smtp, confirm, addTodo } = await openMailed()
      await confirm()
      await ask('PATCH', '/api/reminders', { mail: true })
      for (let todos = 0; todos < 20; todos++) await addTodo()
      const respond = smtp.freeze()
      now = midnight + hour
      const reminded = daymark.reminding.remindNow()
      await waitFor(() => expect(service.arrived(browser)).toBe(20))
      respond()
      await reminded
      expect((await dump(database)).deliveries).toEqual([])
    })

    it('a refused mail is logged, and a failed sign-in at the mail server is tried again', async () => {
      const { daymark, ask, smtp, confirm, addTodo, remindAt } = await openMailed()
      await confirm()
      await ask('PATCH', '/api/reminders', { mail: true })
      await addTodo()
      smtp.refuse(535, 550)
      await remindAt(midnight + hour)
      expect((await dump(database)).deliveries).toHaveLength(1)
      await remindAt(midnight + hour + minute)
      expect((await dump(database)).deliveries).toEqual([])
      const logged = daymark.lines.map((line) => JSON.parse(line)).filter(({ mail }) => mail === 'reminder')
      expect(logged).toMatchObject([
        { level: 40, error: { responseCode: 535 } },
        { level: 50, error: { responseCode: 550 } },
      ])
      expect(logged.join()).not.toContain('@')
    })

    it('a mail is tried again if the server is busy, and not if it refuses', async () => {
      const { person, ask, smtp, confirm, addTodo, remindAt } = await openMailed()
      await confirm()
      await ask('PATCH', '/api/reminders', { mail: true })
      await addTodo()
      smtp.refuse(451, 550)
      await remindAt(midnight + hour)
      expect((await dump(database)).deliveries).toHaveLength(1)
      await remindAt(midnight + hour + 30_000)
      expect((await dump(database)).deliveries).toEqual([])
      await addTodo({ remind_at: at(2 * hour) })
      await remindAt(midnight + 2 * hour)
      expect((await smtp.mailTo(person.email)).link).toBe(`${mailedPages}/todos`)
      // Each was pushed once, whatever became of its mail.
      expect(service.pushed).toHaveLength(2)
    })
  })

  it('an impossible reminder is refused, and changes nothing', async () => {
    const { daymark, person, addHabit, addTodo } = await open()
    const [habit, todo] = [await addHabit(), await addTodo()]
    const before = await dump(database)
    const refused = async (path: string, body: object, field: string) => {
      const asked = await daymark.ask('PUT', path, { cookie: person.cookie, body })
      expect(asked, JSON.stringify(body)).toMatchObject({
        status: 400,
        body: { fields: { [field]: expect.any(String) } },
      })
    }
    const ofHabit = `/api/habits/${habit.id}`
    await refused(ofHabit, { reminder: { time: 1440, weekdays: [1] } }, 'reminder.time')
    await refused(ofHabit, { reminder: { time: 7.5, weekdays: [1] } }, 'reminder.time')
    await refused(ofHabit, { reminder: { time: 0, weekdays: [] } }, 'reminder.weekdays')
    await refused(ofHabit, { reminder: { time: 0, weekdays: [2, 1] } }, 'reminder.weekdays')
    await refused(ofHabit, { reminder: { time: 0, weekdays: [1, 1] } }, 'reminder.weekdays')
    await refused(ofHabit, { reminder: { time: 0, weekdays: [8] } }, 'reminder.weekdays.0')
    await refused(ofHabit, { reminder: 'at noon' }, 'reminder')
    const ofTodo = `/api/todos/${todo.id}/edit`
    await refused(ofTodo, {}, 'title')
    await refused(ofTodo, { due_day: '2026-02-30' }, 'due_day')
    await refused(ofTodo, { due_day: '2200-01-01' }, 'due_day')
    await refused(ofTodo, { remind_at: 'tomorrow' }, 'remind_at')
    await refused(ofTodo, { remind_at: '1999-12-31T23:59:59Z' }, 'remind_at')
    expect(await dump(database)).toEqual(before)
  })

  it('of two changes to a due day or a reminder the later one wins, whichever arrives first', async () => {
    const { ask, addHabit, addTodo, remindAt } = await open()
    const [habit, todo] = [await addHabit(), await addTodo()]
    now = midnight + 5 * minute
    const edit = (body: object) => ask('PUT', `/api/todos/${todo.id}/edit`, body)
    await edit({ due_day: dayAfter(3), remind_at: at(3 * hour), at: at(4 * minute) })
    expect((await edit({ due_day: dayAfter(2), at: at(3 * minute) })).todo.due_day).toBe(dayAfter(3))
    expect((await edit({ remind_at: null, at: at(3 * minute) })).todo.remind_at).toBe(at(3 * hour))
    expect((await edit({ title: 'Feed the cat', at: at(2 * minute) })).todo).toMatchObject({
      title: 'Feed the cat',
      due_day: dayAfter(3),
    })
    const change = (reminder: object | null, since: number) =>
      ask('PUT', `/api/habits/${habit.id}`, { reminder, at: at(since) })
    await change({ time: 1200, weekdays: everyDay }, 4 * minute)
    expect((await change(null, 3 * minute)).habit.reminder).toEqual({ time: 1200, weekdays: everyDay })
    expect(await remindAt(midnight + 3 * hour)).toMatchObject([
      { message: { id: todo.id, title: 'Feed the cat' } },
    ])
    expect(await remindAt(midnight + 20 * hour)).toMatchObject([{ message: { id: habit.id } }])
  })
})
