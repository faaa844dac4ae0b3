import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultPreferences } from '#features/preferences/preferences.ts'
import type { Reminder } from '#features/reminders/reminder/reminder.ts'
import { addDays, type Day, dayNumber, instantToWire } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { Database } from '#platform/database/database.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { apiPipeline } from '#platform/http/api/pipeline.ts'
import { HttpContext } from '#platform/http/request/context.ts'
import { inProcess } from '#platform/http/request/in-process.ts'
import type { AnyWrite, QueueWrite, Write } from '#platform/sync/collections/write.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import { runs } from '../../../../testing/runs.ts'
import { countHabit, historyOf } from '../habit/counted-habit.ts'
import { type Habit, habitCollectionSchema, habitDaysSchema } from '../habit/habit.ts'
import { type ChosenState, type HabitFacts, rhythmsWith } from '../habit/habit-facts.ts'
import {
  addHabit,
  changeHabit,
  deleteHabit,
  habitCollection,
  restoreHabit,
  setHabitReminder,
  setHabitRhythm,
} from '../habit/web/habit-queries.ts'
import type { PauseRow } from '../pauses/pause.ts'
import { pauses as pauseKind } from '../pauses/server/pauses.ts'
import { addPause, deletePause, editPause, pauseCollection } from '../pauses/web/pause-queries.ts'
import { statesOf } from '../rhythm/day-state.ts'
import type { HabitDays } from '../rhythm/habit-track.ts'
import { frequencyOf, type Rhythm, type Target } from '../rhythm/rhythm.ts'
import { habitEndpoints } from '../server/habit-routes.ts'
import { someRhythm, someTarget } from '../testing/some-habit.ts'
import { allDays, dayList, daysToRead } from './web/habit-day-queries.ts'
import { dayActions } from './web/use-day-actions.ts'

const firstDay = '2026-03-27' as Day
const id = newRowId(0, new Uint8Array(10))

/** The server with its real routes and store, and a device that shows its own changes before it has read again. */
function openBothSides(database: Database) {
  let today = firstDay
  let weekStart: WeekStart = 1
  let at = 0
  const now = () => dayNumber(today) * 86_400_000 + 3_600_000 + at
  const preferences = () => ({ ...defaultPreferences, week_start: weekStart })
  const answer = apiPipeline(
    [
      ...habitEndpoints({
        database,
        clock: now,
        preferencesOf: async () => preferences(),
        zoneIn: async () => preferences().time_zone,
      }),
      ...pauseKind.endpoints({ database, clock: now }),
    ],
    {
      baseUrl: undefined,
      signedInUser: async () => 'ada',
      secondsToWait: async () => 0,
      brokeOff() {},
    },
  )
  const dispatch = inProcess((sent) => answer(new HttpContext(sent)))

  let habits: HabitFacts[] = []
  let pauses: PauseRow[] = []
  let queued: [AnyWrite, unknown][] = []

  async function request(method: string, path: string, body?: unknown): Promise<unknown> {
    const init: RequestInit = {
      method,
      headers: { host: 'localhost', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    }
    const response = await dispatch(path, init)
    expect(response.status, `${method} ${path} ${await response.clone().text()}`).toBeLessThan(300)
    return response.json()
  }
  async function listed(): Promise<Habit[]> {
    return habitCollectionSchema.parse(await request('GET', habitCollection.path)).habits
  }
  const calendar = () => ({ timeZone: preferences().time_zone, dayStart: 0, weekStart })
  const counted = () => ({ today, calendar: calendar(), pauses })

  const both = {
    get today() {
      return today
    },
    get pauses() {
      return pauses
    },
    counted,
    row(): HabitFacts {
      const habit = habits.find((each) => each.id === id)
      if (!habit) throw new Error('The habit is not on the device')
      return habit
    },
    count: () => countHabit(both.row(), counted()),
    at(): string {
      at += 1
      return instantToWire(now())
    },
    named() {
      return { id, name: both.row().name, at: both.at() }
    },
    add(rhythm: Rhythm = { every: 1 }, target: Target = 'yes') {
      const fields = { id, name: 'Read', description: '', frequency: frequencyOf(rhythm, target) }
      const at = both.at()
      return both.write(addHabit, { ...fields, rhythm, target, start_date: today, weekStart, at })
    },
    async read() {
      habits = habitCollection.rows(await request('GET', habitCollection.path))
      pauses = pauseCollection.rows(await request('GET', pauseCollection.path))
    },
    /** What the open view of the habit knows. */
    async allDays(): Promise<HabitDays> {
      const { path, rows } = dayList(id)
      const years = daysToRead(both.row(), today)
      const read = await Promise.all(
        years.map(({ from, to }) => request('GET', `${path}?from=${from}&to=${to}`)),
      )
      return allDays(both.row(), read.flatMap(rows), counted())
    },
    /** Applies the write on the device, then sends it as the device would. Applying it again to a row that has it changes nothing. */
    async write<Row extends HabitFacts | PauseRow, Vars>(write: Write<Row, Vars>, vars: Vars) {
      both.queue(write, vars)
      await both.send()
    },
    queue: ((write, vars) => {
      const queuedWrite = write as unknown as AnyWrite
      if (queuedWrite.collection === habitCollection) habits = queuedWrite.apply(habits, vars) as HabitFacts[]
      else pauses = queuedWrite.apply(pauses, vars) as PauseRow[]
      queued.push([queuedWrite, vars])
      return Promise.resolve(true)
    }) as QueueWrite,
    async send() {
      const sent = queued
      queued = []
      for (const [write, vars] of sent) {
        const { method, path, body } = write.request(vars)
        await request(method, path, body)
      }
      for (const [write, vars] of sent) {
        if (write.collection !== habitCollection) continue
        for (const rows of [habits, habitCollection.rows({ habits: await listed() })]) {
          const again = write.apply(rows, vars) as HabitFacts[]
          expect(again.map(shownOf)).toEqual(rows.map(shownOf))
        }
      }
    },
    /** What a person does to the days, as the screens do it. */
    act(does: (actions: ReturnType<typeof dayActions>) => void) {
      at += 1
      does(dayActions({ write: both.queue, offerUndo() {}, calendar: calendar(), pauses, now }))
      return both.send()
    },
    daysPass(count: number) {
      today = addDays(today, count)
    },
    startWeeksOn(weekday: WeekStart) {
      weekStart = weekday
    },
    async onServer(): Promise<Habit> {
      const [habit] = await listed()
      if (!habit) throw new Error('The habit is not on the server')
      return habit
    },
    /** The device's numbers for today are the server's. */
    async expectSame() {
      const [onServer] = await listed()
      const [row] = habits
      if (!onServer || !row) return expect(row).toBe(onServer)
      const { name, description, start_date, reminder, completed, rhythm, target } = onServer
      const { strength, streaks, ...shown } = shownOf(row)
      expect({ ...shown, current: streaks?.current, longest: streaks?.longest }).toEqual({
        name,
        description,
        start_date,
        reminder,
        completed,
        rhythm,
        target,
        today: onServer.today,
        current: onServer.current_streak,
        longest: onServer.longest_streak,
      })
      if (onServer.strength === null) expect(strength).toBeNull()
      else expect(strength).toBeCloseTo(onServer.strength, 6)
      const week = await request('GET', `${dayList(id).path}?from=${addDays(today, -6)}&to=${today}`)
      const { track } = both.count()
      expect(statesOf(track, { from: addDays(today, -6), to: today }, today)).toEqual(
        habitDaysSchema.parse(week).days.map(({ note: _, ...day }) => day),
      )
    },
  }

  function shownOf(habit: HabitFacts) {
    const { completed, rhythm, target, streaks, strength, track } = countHabit(habit, counted())
    const { name, description, start_date, reminder } = habit
    const [of] = statesOf(track, { from: today, to: today }, today)
    return {
      name,
      description,
      start_date,
      reminder,
      completed,
      rhythm,
      target,
      today: of && { state: of.state, amount: of.amount },
      streaks,
      strength,
    }
  }
  return both
}

const someBack = fc.oneof(fc.nat({ max: 8 }), fc.nat({ max: 365 }))
const someSmallTarget = fc.oneof({ weight: 2, arbitrary: fc.constant('yes' as const) }, someTarget)

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('day' as const),
      back: someBack,
      length: fc.integer({ min: 1, max: 5 }),
      state: fc.constantFrom<ChosenState[]>('done', 'done', 'skipped', 'none'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('amount' as const),
      back: someBack,
      how: fc.constantFrom('more', 'less', 'set'),
      amount: fc.nat({ max: 40 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('checkbox' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('days pass' as const),
      count: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 120 })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('rhythm' as const),
      rhythm: fc.option(someRhythm, { nil: undefined }),
      target: fc.option(someSmallTarget, { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('pause' as const),
      ahead: fc.nat({ max: 3 }),
      length: fc.option(fc.nat({ max: 9 })),
      ofAll: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('resume' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('archive' as const), archived: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('week start' as const),
      to: fc.constantFrom<WeekStart[]>(1, 2, 3, 4, 5, 6, 7),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('reminder' as const),
      to: fc.constantFrom<(Reminder | null)[]>(
        null,
        { time: 0, weekdays: [1] },
        { time: 1439, weekdays: [6, 7] },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('read' as const, 'delete and undo' as const) }) },
)

describeEachEngine('what a device shows of a habit at once', (openEmpty, engine) => {
  test('is what the server then returns, whatever was changed, on whatever day it is viewed', async () => {
    const database = await openEmpty()
    await addUser(database.auth, engine, 'ada')
    await fc.assert(
      fc
        .asyncProperty(
          fc.tuple(someRhythm, someSmallTarget),
          fc.constantFrom<WeekStart[]>(1, 2, 3, 4, 5, 6, 7),
          fc.array(step, { minLength: 1, maxLength: 20 }),
          async ([rhythm, target], weekday, steps) => {
            const both = openBothSides(database)
            both.startWeeksOn(weekday)
            await both.add(rhythm, target)
            await both.expectSame()
            for (const what of steps) {
              await play(both, what)
              await both.expectSame()
            }
          },
        )
        .afterEach(async () => {
          await database.write((tx) => tx.deleteFrom('habits').execute())
          await database.write((tx) => tx.deleteFrom('pauses').execute())
        }),
      { numRuns: runs(500, engine === 'sqlite' ? 6 : 3) },
    )
  })

  test('counts a habit that the version before had just made, and whose deletion it was to take back', async () => {
    const both = await withHabit()
    const queued = JSON.parse(JSON.stringify({ habit: both.row(), at: both.at() }))
    const { from } = queued.habit.earlier
    queued.habit.earlier = { from, run: 0, longest: 0 }
    const [restored] = restoreHabit.apply([], queued)
    if (!restored) throw new Error('It was not restored')
    expect(countHabit(restored, both.counted())).toEqual(both.count())
  })

  test("counts a habit in the person's weeks once its start was moved back, before the server has answered", async () => {
    const both = await withHabit({ times: 3, per: 'week' })
    const changes = { start_date: addDays(firstDay, -40) }
    const [moved] = changeHabit.apply([both.row()], { ...both.named(), changes })
    if (!moved) throw new Error('It was not moved')
    expect(countHabit(moved, both.counted()).track.weekStart).toBe(both.counted().calendar.weekStart)
  })

  test('counts by another rhythm at once on the day the habit was made, for all that was done before', async () => {
    const both = await withHabit()
    for (const back of [0, 7, 14, 21]) {
      const all = await both.allDays()
      await both.act((actions) => actions.setDay(both.row(), addDays(firstDay, -back), 'done', all))
    }
    expect(both.count().streaks?.current).toBe(1)
    const all = await both.allDays()
    const weekly = { times: 1, per: 'week' } as const
    const rows = rhythmsWith(both.row().rhythms, { from_day: firstDay, rhythm: weekly })
    const history = historyOf({ ...all, rows }, both.row().earlier.from)
    await both.write(setHabitRhythm, { ...both.named(), from_day: firstDay, rhythm: weekly, history })
    expect(both.count().streaks).toMatchObject({ current: 4, longest: 4, unit: 'weeks' })
    await both.expectSame()
  })

  test('keeps the rhythm of the past when it is changed later', async () => {
    const both = await withHabit()
    for (const back of [0, 1]) {
      both.daysPass(back)
      await both.act((actions) => actions.completeToday(both.row(), true, both.today))
    }
    both.daysPass(1)
    const rhythm = { times: 3, per: 'week' } as const
    await both.write(setHabitRhythm, { ...both.named(), from_day: both.today, rhythm })
    expect(both.count().streaks).toMatchObject({ current: 0, unit: 'weeks', records: { days: 2 } })
    await both.expectSame()
  })

  test('stays with the old weeks when the week start was changed, until it is read again', async () => {
    const both = await withHabit({ times: 1, per: 'week' })
    const all = await both.allDays()
    const sunday = '2026-03-22' as Day
    await both.act((actions) => actions.setDay(both.row(), sunday, 'done', all))
    both.daysPass(14)
    await both.read()
    const before = both.count().streaks
    both.startWeeksOn(7)
    expect(both.count().streaks).toEqual(before)
    await both.read()
    await both.expectSame()
  })

  test('adds up what two devices added, and what was set replaces only what its device knew of', async () => {
    const both = await withHabit({ every: 1 }, { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' })
    const other = both.row()
    await both.act((actions) => actions.addStep(both.row(), firstDay, 1))
    await both.act((actions) => actions.addStep(other, firstDay, 1))
    expect((await both.onServer()).today.amount).toBe(2_000)
    const beforeSet = both.row()
    await both.act((actions) => actions.addStep(both.row(), firstDay, 1))
    await both.act((actions) => actions.setAmount(beforeSet, firstDay, 5_000))
    expect((await both.onServer()).today.amount).toBe(6_000)
    await both.expectSame()
  })

  test('ticks an amount by what is missing, and unticks it to 0', async () => {
    const both = await withHabit({ every: 1 }, { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' })
    await both.act((actions) => actions.addStep(both.row(), firstDay, 1))
    await both.act((actions) => actions.completeToday(both.row(), true, firstDay))
    expect((await both.onServer()).today).toEqual({ state: 'done', amount: 8_000 })
    await both.act((actions) => actions.completeToday(both.row(), false, firstDay))
    expect((await both.onServer()).today).toEqual({ state: 'open', amount: 0 })
    await both.expectSame()
  })

  test('begins on its chosen day again once every earlier amount was set back to 0', async () => {
    const both = await withHabit({ every: 1 }, { at: 'least', amount: 1_000, unit: 'glasses', per: 'day' })
    const earlier = [-1, -2].map((days) => addDays(firstDay, days))
    for (const state of ['done', 'none'] as const)
      for (const day of earlier) await both.act((actions) => actions.setDay(both.row(), day, state))
    expect(both.row().start_date).toBe(firstDay)
    await both.expectSame()
  })

  test('begins on an earlier day with an amount, though that day is skipped or unticked', async () => {
    const both = await withHabit({ times: 1, per: 'week' })
    const dayBefore = addDays(firstDay, -1)
    await both.act((actions) => actions.setAmount(both.row(), dayBefore, 1_000))
    for (const state of ['skipped', 'done', 'none'] as const) {
      await both.act((actions) => actions.setDay(both.row(), dayBefore, state))
      expect(both.row().start_date).toBe(dayBefore)
      await both.expectSame()
    }
    await both.act((actions) => actions.completeToday(both.row(), true, firstDay))
    await both.act((actions) => actions.completeToday(both.row(), false, firstDay))
    expect(both.row().start_date).toBe(dayBefore)
    await both.expectSame()
  })

  test.each<[string, Target, ChosenState[], boolean]>([
    [
      'an earlier amount is set back to 0',
      { at: 'least', amount: 1_000, unit: 'cups', per: 'day' },
      ['none'],
      false,
    ],
    [
      'an earlier day with an amount is skipped or unticked',
      'yes',
      ['skipped', 'none', 'done', 'none'],
      true,
    ],
  ])('begins where it should, too, when %s that is summed up already', async (_, target, states, stays) => {
    const both = await withHabit({ every: 1 }, target)
    const days = [-40, -41].map((each) => addDays(firstDay, each))
    const change = async (make: (actions: ReturnType<typeof dayActions>, all: HabitDays) => void) => {
      await both.read()
      const all = await both.allDays()
      await both.act((actions) => make(actions, all))
      await both.expectSame()
    }
    for (const day of days) await change((actions, all) => actions.setAmount(both.row(), day, 1_000, all))
    for (const day of days)
      for (const state of states) await change((actions, all) => actions.setDay(both.row(), day, state, all))
    expect(both.row().start_date).toBe(stays ? days[1] : firstDay)
  })

  test('begins where it did when a change is applied again to rows that have summed its day up meanwhile', async () => {
    const both = await withHabit({ times: 1, per: 'week' })
    const earlier = addDays(firstDay, -4)
    await both.write(setHabitRhythm, { ...both.named(), from_day: firstDay, rhythm: { every: 1 } })
    await both.act((actions) => actions.setAmount(both.row(), earlier, 1))
    both.daysPass(4)
    // Sending applies it to what the server returns, too.
    await both.act((actions) => actions.setDay(both.row(), earlier, 'none'))
    expect(both.row().start_date).toBe(earlier)
    await both.expectSame()
  })

  test('keeps what was entered when a skip is taken back', async () => {
    const both = await withHabit({ every: 1 }, { at: 'most', amount: 2_000, unit: 'cups', per: 'day' })
    await both.act((actions) => actions.addStep(both.row(), firstDay, 1))
    await both.act((actions) => actions.setDay(both.row(), firstDay, 'skipped'))
    await both.act((actions) => actions.setDay(both.row(), firstDay, 'none'))
    expect((await both.onServer()).today.amount).toBe(1_000)
    await both.expectSame()
  })

  test('takes the skips of a week back with its tick', async () => {
    const both = await withHabit({ times: 1, per: 'week' })
    await both.act((actions) => actions.setDay(both.row(), addDays(firstDay, -1), 'skipped'))
    await both.act((actions) => actions.completeToday(both.row(), true, firstDay))
    await both.act((actions) => actions.completeToday(both.row(), false, firstDay))
    expect(both.row().skipped).toEqual([])
    await both.expectSame()
  })

  test('counts what was corrected on an older day when another one is changed', async () => {
    const both = await withHabit({ every: 1 }, { at: 'least', amount: 1_000, unit: 'glasses', per: 'day' })
    const [older, oldest] = [addDays(firstDay, -8), addDays(firstDay, -9)]
    const setOn = async (day: Day, amount: number) => {
      const all = await both.allDays()
      await both.act((actions) => actions.setAmount(both.row(), day, amount, all))
    }
    await setOn(older, 1_000)
    await both.read()
    await setOn(older, 0)
    await setOn(oldest, 1_000)
    expect(both.count().streaks?.longest).toBe(1)
    await both.expectSame()
  })

  test('counts the days in the archive as missed once a habit is taken out of it, however long it was in there', async () => {
    const both = await withHabit()
    for (const _ of [1, 2, 3]) {
      await both.act((actions) => actions.completeToday(both.row(), true, both.today))
      both.daysPass(1)
    }
    const archive = (archived_at: string | null) =>
      both.write(changeHabit, { ...both.named(), changes: { archived_at }, at: both.at() })
    await archive(both.at())
    both.daysPass(60)
    await both.read()
    expect(both.count().streaks).toMatchObject({ current: 3, longest: 3 })
    await archive(null)
    expect(both.count().streaks).toMatchObject({ current: 0, longest: 3 })
    await both.expectSame()
  })

  async function withHabit(rhythm?: Rhythm, target?: Target) {
    const database = await openEmpty()
    await addUser(database.auth, engine, 'ada')
    const both = openBothSides(database)
    await both.add(rhythm, target)
    return both
  }
})

async function play(
  both: ReturnType<typeof openBothSides>,
  what: typeof step extends fc.Arbitrary<infer S> ? S : never,
) {
  const { today } = both
  const row = both.row()
  switch (what.does) {
    case 'day': {
      for (let back = what.back; back < what.back + what.length; back += 1) {
        const day = addDays(today, -back)
        const all = await allWhenOlder(both, day)
        await both.act((actions) => actions.setDay(both.row(), day, what.state, all))
      }
      return
    }
    case 'amount': {
      const day = addDays(today, -what.back)
      const all = await allWhenOlder(both, day)
      if (what.how === 'set') return both.act((actions) => actions.setAmount(row, day, what.amount, all))
      return both.act((actions) => actions.addStep(row, day, what.how === 'more' ? 1 : -1, all))
    }
    case 'checkbox':
      return both.act((actions) => actions.completeToday(row, !both.count().completed, today))
    case 'rhythm': {
      const from_day = today
      // On the day a habit was made, another target holds for all days before, and no device knows what else was entered then. Nor does
      // a device know, until it reads again, about a tick that was hidden by an amount which 'yes' now replaces on the same day.
      const isFirst = row.rhythms.every((each) => each.from_day >= from_day)
      const bringsTicksBack =
        what.target === 'yes' &&
        row.rhythms.some(
          (each) => each.from_day === from_day && each.target !== null && each.target !== 'yes',
        )
      const { rhythm, target } = isFirst || bringsTicksBack ? { ...what, target: undefined } : what
      if (!rhythm && !target) return
      const parts = { ...(rhythm && { rhythm }), ...(target && { target }) }
      const rows = rhythmsWith(row.rhythms, { from_day, ...parts })
      const history = historyOf({ ...(await both.allDays()), rows }, row.earlier.from)
      return both.write(setHabitRhythm, { ...both.named(), from_day, ...parts, history })
    }
    case 'pause': {
      const from_day = addDays(today, what.ahead)
      const to_day = what.length === null ? null : addDays(from_day, what.length)
      const pause = { id: newRowId(Date.parse(both.at()), new Uint8Array(10)), from_day, to_day }
      const habit_id = what.ofAll ? null : id
      return both.write(addPause, { ...pause, habit_id, name: 'Read', at: both.at() })
    }
    case 'resume': {
      for (const pause of both.pauses) {
        const named = { id: pause.id, name: 'Read', at: both.at() }
        if (pause.from_day >= today) await both.write(deletePause, named)
        else if (pause.to_day === null || pause.to_day >= today)
          await both.write(editPause, { ...named, changes: { to_day: addDays(today, -1) } })
      }
      return
    }
    case 'archive': {
      const at = both.at()
      return both.write(changeHabit, {
        ...both.named(),
        changes: { archived_at: what.archived ? at : null },
        at,
      })
    }
    case 'reminder':
      return both.write(setHabitReminder, { ...both.named(), reminder: what.to })
    case 'delete and undo':
      await both.write(deleteHabit, both.named())
      return both.write(restoreHabit, { habit: row, at: both.at() })
    case 'days pass':
      return both.daysPass(what.count)
    case 'week start':
      both.startWeeksOn(what.to)
      return both.read()
    case 'read':
      return both.read()
  }
}

/** Only where the row alone cannot say what becomes of its numbers. */
async function allWhenOlder(both: ReturnType<typeof openBothSides>, day: Day) {
  return day < both.row().earlier.from ? both.allDays() : undefined
}
