import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, type Day, dayNumber, daysFrom, instantToWire } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { Database } from '#platform/database/database.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { HttpContext } from '#platform/http/context.ts'
import { inProcess } from '#platform/http/in-process.ts'
import { apiPipeline } from '#platform/http/pipeline.ts'
import type { Write } from '#platform/sync/collections/write.ts'
import { newRowId } from '#platform/wire/new-row-id.ts'
import { runs } from '../../../testing/runs.ts'
import { defaultPreferences } from '../preferences/preferences.ts'
import type { Reminder } from '../reminders/reminder.ts'
import { countHabit, historyOf, rhythmOfFacts } from './counted-habit.ts'
import { completionsSchema, type Habit, habitListSchema } from './habit.ts'
import { type HabitFacts, setDay } from './habit-facts.ts'
import { habitEndpoints } from './server/habit-routes.ts'
import { type Frequency, periodEnd, periodStart, rhythmOf } from './streak.ts'
import {
  addHabit,
  changeHabit,
  completeHabitDay,
  completionList,
  deleteHabit,
  habitList,
  restoreHabit,
  setHabitReminder,
  uncompletePeriod,
} from './web/habit-queries.ts'

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
    habitEndpoints({
      database,
      clock: now,
      preferencesOf: async () => preferences(),
      zoneIn: async () => preferences().time_zone,
    }),
    {
      baseUrl: undefined,
      signedInUser: async () => 'ada',
      secondsToWait: async () => 0,
      brokeOff() {},
    },
  )
  const dispatch = inProcess((sent) => answer(new HttpContext(sent)))

  let base: HabitFacts[] = []
  /** The device's own list of all completions, kept up to date by its own changes. */
  let days: Day[] = []

  async function request(method: string, path: string, body?: unknown): Promise<unknown> {
    const init: RequestInit = {
      method,
      headers: { host: 'localhost', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    }
    const response = await dispatch(path, init)
    expect(response.status, await response.clone().text()).toBeLessThan(300)
    return response.json()
  }
  async function listed(): Promise<Habit[]> {
    return habitListSchema.parse(await request('GET', habitList.path)).habits
  }

  const both = {
    get today() {
      return today
    },
    get weekStart() {
      return weekStart
    },
    get days() {
      return days
    },
    row(): HabitFacts {
      const habit = base.find((each) => each.id === id)
      if (!habit) throw new Error('The habit is not on the device')
      return habit
    },
    at(): string {
      at += 1
      return instantToWire(now())
    },
    named() {
      return { id, name: both.row().name, at: both.at() }
    },
    add(frequency: Frequency) {
      const fields = { id, name: 'Read', description: '', frequency }
      return both.write(addHabit, { ...fields, start_date: today, weekStart, at: both.at() })
    },
    async read() {
      base = habitList.rows(await request('GET', habitList.path))
      days = completionsSchema.parse(await request('GET', completionList(id).path)).days
    },
    /** Applies the write on the device, then sends it as the device would. Applying it again to a row that has it changes nothing. */
    async write<Vars>(write: Write<HabitFacts, Vars>, vars: Vars, nextDays: Day[] = days) {
      base = write.apply(base, vars)
      days = nextDays
      const { method, path, body } = write.request(vars)
      await request(method, path, body)
      const after = habitList.rows({ habits: await listed() })
      for (const rows of [base, after]) {
        const again = write.apply(rows, vars)
        expect(again.map((habit) => countHabit(habit, today, weekStart))).toEqual(
          rows.map((habit) => countHabit(habit, today, weekStart)),
        )
      }
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
      const row = base[0]
      if (!onServer || !row) return expect(row).toBe(onServer)
      const { completed, streaks, recent } = countHabit(row, today, weekStart)
      expect({
        name: row.name,
        description: row.description,
        frequency: row.frequency,
        start_date: row.start_date,
        reminder: row.reminder,
        completed,
        current_streak: streaks?.current,
        longest_streak: streaks?.longest,
        recent,
      }).toEqual({
        name: onServer.name,
        description: onServer.description,
        frequency: onServer.frequency,
        start_date: onServer.start_date,
        reminder: onServer.reminder,
        completed: onServer.completed,
        current_streak: onServer.current_streak,
        longest_streak: onServer.longest_streak,
        recent: onServer.recent,
      })
      // On a device whose clock is slightly behind it may still be yesterday.
      const yesterday = addDays(today, -1)
      expect(countHabit(row, yesterday, weekStart).recent).toEqual(
        days.filter((day) => day >= addDays(yesterday, -6) && day <= yesterday),
      )
      expect(days).toEqual(completionsSchema.parse(await request('GET', completionList(id).path)).days)
    },
  }
  return both
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant('day' as const),
      back: fc.oneof(fc.nat({ max: 8 }), fc.nat({ max: 400 })),
      length: fc.integer({ min: 1, max: 9 }),
      completed: fc.boolean(),
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
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('frequency' as const),
      to: fc.constantFrom<Frequency[]>('daily', 'weekly'),
    }),
  },
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
          fc.constantFrom<Frequency[]>('daily', 'weekly'),
          fc.constantFrom<WeekStart[]>(1, 2, 3, 4, 5, 6, 7),
          fc.array(step, { minLength: 1, maxLength: 20 }),
          async (frequency, weekday, steps) => {
            const both = openBothSides(database)
            both.startWeeksOn(weekday)
            await both.add(frequency)
            await both.expectSame()
            for (const what of steps) {
              await play(both, what)
              await both.expectSame()
            }
          },
        )
        .afterEach(async () => {
          await database.write((tx) => tx.deleteFrom('habits').execute())
        }),
      { numRuns: runs(500, 12) },
    )
  })

  test('can be read from rows stored before there were reminders', async () => {
    const both = await withHabit('daily')
    const { reminder, ...older } = await both.onServer()
    expect(reminder).toBeNull()
    expect(habitList.rows({ habits: [older] })).toEqual([both.row()])
    expect(restoreHabit.apply([], { habit: factsWithout(both.row()), at: both.at() })).toEqual([both.row()])
  })

  test('counts weeks at once when a daily habit becomes weekly, including days before the last seven', async () => {
    const both = await withHabit('daily')
    const day = addDays(firstDay, -9)
    const days = [day]
    const history = historyOf(days, both.row().earlier.from, rhythmOfFacts(both.row(), 1))
    await both.write(completeHabitDay, { ...both.named(), date: day, completed: true, history }, days)
    const weekly = historyOf(days, both.row().earlier.from, { frequency: 'weekly', weekStart: 1 })
    await both.write(changeHabit, { ...both.named(), changes: { frequency: 'weekly' }, history: weekly })
    expect(countHabit(both.row(), firstDay, 1).streaks).toEqual({ current: 1, longest: 1 })
    await both.expectSame()
  })

  test('stays with the old weeks when the week start was changed, until it is read again', async () => {
    const both = await withHabit('weekly')
    const sunday = '2026-03-22' as Day
    await both.write(completeHabitDay, { ...both.named(), date: sunday, completed: true }, [sunday])
    expect(countHabit(both.row(), firstDay, 7)).toEqual(countHabit(both.row(), firstDay, 1))
    both.startWeeksOn(7)
    await both.read()
    expect(countHabit(both.row(), firstDay, 7).completed).toBe(true)
    await both.expectSame()
  })

  test('shows no streaks while the older completions are unknown, and the old ones when changed back', async () => {
    const both = await withHabit('daily')
    await both.write(changeHabit, { ...both.named(), changes: { frequency: 'weekly' } })
    expect(countHabit(both.row(), firstDay, 1).streaks).toBeUndefined()
    await both.write(changeHabit, { ...both.named(), changes: { frequency: 'daily' } })
    expect(countHabit(both.row(), firstDay, 1).streaks).toEqual({ current: 0, longest: 0 })
  })

  async function withHabit(frequency: Frequency) {
    const database = await openEmpty()
    await addUser(database.auth, engine, 'ada')
    const both = openBothSides(database)
    await both.add(frequency)
    return both
  }
})

async function play(
  both: ReturnType<typeof openBothSides>,
  what: typeof step extends fc.Arbitrary<infer S> ? S : never,
) {
  const { today, weekStart } = both
  const row = both.row()
  const named = both.named()
  const rhythm = rhythmOfFacts(row, weekStart)
  switch (what.does) {
    case 'day': {
      for (const date of daysFrom(addDays(today, -what.back - what.length + 1), addDays(today, -what.back))) {
        const days = setDay(both.days, date, what.completed)
        const history = date < row.earlier.from ? historyOf(days, row.earlier.from, rhythm) : undefined
        await both.write(completeHabitDay, { ...named, date, completed: what.completed, history }, days)
      }
      return
    }
    case 'checkbox': {
      if (!countHabit(row, today, weekStart).completed) {
        const days = setDay(both.days, today, true)
        return both.write(completeHabitDay, { ...named, date: today, completed: true }, days)
      }
      const period = { from: periodStart(today, rhythm), to: periodEnd(today, rhythm) }
      const days = both.days.filter((day) => day < period.from || day > period.to)
      return both.write(uncompletePeriod, { ...named, ...period }, days)
    }
    case 'frequency': {
      const history = historyOf(both.days, row.earlier.from, rhythmOf({ frequency: what.to }, { weekStart }))
      return both.write(changeHabit, { ...named, changes: { frequency: what.to }, history })
    }
    case 'reminder':
      return both.write(setHabitReminder, { ...named, reminder: what.to })
    case 'delete and undo':
      await both.write(deleteHabit, named)
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

function factsWithout({ reminder: _, ...older }: HabitFacts): Omit<HabitFacts, 'reminder'> {
  return older
}
