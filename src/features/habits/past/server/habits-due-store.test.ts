import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCompletedOn } from '#features/habits/rhythm/day-state.ts'
import { type HabitDays, type Pause, trackOf } from '#features/habits/rhythm/habit-track.ts'
import { asOf, someHabit, someWeekStart } from '#features/habits/testing/some-habit.ts'
import { dayInUtc, storeHabit } from '#features/habits/testing/store-habit.ts'
import { addDays, type Day, daysFrom } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { Database } from '#platform/database/database.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { runs } from '#testing/runs.ts'
import { countedDays } from '../due-by-day.ts'
import { completedHabits, countCompletedHabits, dueHabits } from './habits-due-store.ts'

const today = '2026-11-20' as Day // a Friday

/** All habits of a person, looked at on the same day. */
interface Account {
  habits: readonly HabitDays[]
  pausesOfAll: readonly Pause[]
  weekStart: WeekStart
  range: DayRange
}

/** Those that the database counts all together are as frequent as all others. */
const someHabitNow = fc.tuple(someHabit, fc.boolean()).map(([seen, isDaily]): HabitDays => {
  const habit = asOf(today, seen)
  const daily = [{ from_day: habit.startDay, rhythm: { every: 1 }, target: 'yes' as const }]
  return isDaily ? { ...habit, rows: daily } : habit
})

const someAccount: fc.Arbitrary<Account> = fc
  .record({
    habits: fc.array(someHabitNow, { maxLength: 4 }),
    all: fc.array(fc.record({ back: fc.integer({ min: -10, max: 130 }), length: fc.option(fc.nat(20)) }), {
      maxLength: 2,
    }),
    weekStart: someWeekStart,
    back: fc.integer({ min: -5, max: 160 }),
    length: fc.integer({ min: 0, max: 170 }),
  })
  .map(({ habits, all, weekStart, back, length }) => {
    const from = addDays(today, -back)
    const pausesOfAll = all.map(({ back, length }) => {
      const from_day = addDays(today, -back)
      return { from_day, to_day: length === null ? null : addDays(from_day, length) }
    })
    return { habits, pausesOfAll, weekStart, range: { from, to: addDays(from, length) } }
  })

function tracksOf({ habits, pausesOfAll, weekStart }: Account) {
  return habits.map((habit) => trackOf({ ...habit, pauses: [...habit.pauses, ...pausesOfAll], weekStart }))
}

/** Counted habit by habit, from everything at once. */
function countedOf(account: Account) {
  const counted = tracksOf(account).map((track) => countedDays(track, account.range, today))
  return daysFrom(account.range.from, account.range.to).map((day) => ({
    day,
    ofHabits: counted.map((days) => days.filter((each) => each.day === day)),
  }))
}

async function store(db: Database, user: string, { habits, pausesOfAll }: Account): Promise<void> {
  await db.write(async (tx) => {
    for (const table of ['pauses', 'habits'] as const)
      await tx.deleteFrom(table).where('user_id', '=', user).execute()
    const never = { from_day_at: 0, to_day_at: 0, created_at: 0, updated_at: 0, deletion_changed_at: 0 }
    const pause = async (habit_id: string | null, pauses: readonly Pause[]) => {
      for (const [place, { from_day, to_day }] of pauses.entries()) {
        const id = `${habit_id} ${place}`
        await tx
          .insertInto('pauses')
          .values({ user_id: user, id, habit_id, from_day, to_day, ...never })
          .execute()
      }
    }
    await pause(null, pausesOfAll)
    for (const [place, habit] of habits.entries()) {
      const id = idOf(place)
      await storeHabit(tx, user, id, habit)
      await pause(id, habit.pauses)
    }
  })
}

const idOf = (place: number) => `habit ${String(place).padStart(3, '0')}`

describeEachEngine('the history of habits', (openEmpty, engine) => {
  async function opened(): Promise<Database> {
    const db = await openEmpty()
    for (const user of ['ada', 'bob']) await addUser(db.auth, engine, user)
    return db
  }

  async function expectRead(db: Database, account: Account): Promise<void> {
    const time = { today, weekStart: account.weekStart, dayAt: dayInUtc }
    const counted = countedOf(account)
    const sums = counted.map(({ day, ofHabits }) => ({
      day,
      completed: total(ofHabits.flat().map(({ completed }) => completed)),
      due: total(ofHabits.flat().map(({ due }) => due)),
    }))
    expect(await completedHabits(db, 'ada', account.range, time)).toEqual(sums)

    const { page, names } = await dueHabits(db, 'ada', account.range, undefined, time)
    const places = (ofHabits: { completed: number; due: number }[][], of: 'completed' | 'missed') =>
      ofHabits.flatMap((days, place) =>
        days.flatMap(({ completed, due }) =>
          new Array<number>(of === 'completed' ? completed : due - completed).fill(place),
        ),
      )
    expect(page.days).toEqual(
      counted.slice(0, page.days.length).map(({ day, ofHabits }) => ({
        day,
        completed: places(ofHabits, 'completed'),
        missed: places(ofHabits, 'missed'),
      })),
    )
    const { range } = account
    expect(page.next).toBe(page.days.length === counted.length ? null : addDays(range.from, page.days.length))
    const named = (await Array.fromAsync(names ?? [])).flat()
    expect(named.map(({ id }) => id)).toEqual(account.habits.map((_, place) => idOf(place)))

    const inUse = tracksOf(account).filter(({ archived }) => archived === Number.POSITIVE_INFINITY)
    expect(await countCompletedHabits(db, 'ada', time)).toEqual({
      count: inUse.filter((track) => isCompletedOn(track, today)).length,
      total: inUse.length,
    })
  }

  test('is read as it is counted, whatever rhythms, amounts, skips and pauses there are', async () => {
    const db = await opened()
    await store(db, 'bob', { habits: [daily], pausesOfAll: [], ...asked })
    await fc.assert(
      fc.asyncProperty(someAccount, async (account) => {
        await store(db, 'ada', account)
        await expectRead(db, account)
      }),
      { numRuns: runs(1_000, 8) },
    )
  })

  test('is read the same in stretches, with long periods across their ends', async () => {
    const db = await opened()
    const days = daysFrom(addDays(today, -800), today)
    const done = days.filter((_, place) => place % 3 === 0)
    const rhythms = [
      { times: 200, days: 366 },
      { times: 3, per: 'month' as const },
      { times: 4, per: 'week' as const },
      { every: 1 },
    ]
    const habits = Array.from({ length: 40 }, (_, place): HabitDays => {
      const startDay = addDays(today, -800 + place)
      const rhythm = rhythms[place % rhythms.length] ?? { every: 1 }
      const states = new Map(done.filter((day) => day >= startDay).map((day) => [day, 'done' as const]))
      return { ...daily, rows: [{ from_day: startDay, rhythm, target: 'yes' }], startDay, states }
    })
    const account: Account = { habits, pausesOfAll: [], ...asked }
    await store(db, 'ada', account)
    await expectRead(db, account)
  })

  test("spares what is behind a limit's first entry, however long ago that was", async () => {
    const db = await opened()
    const startDay = addDays(today, -100)
    const target = { at: 'most', amount: 2_000, unit: 'cups', per: 'day' } as const
    const limit: HabitDays = {
      ...daily,
      rows: [{ from_day: startDay, rhythm: { every: 1 }, target }],
      startDay,
      states: new Map(),
      amounts: new Map([[addDays(today, -90), 0]]),
    }
    const range = { from: addDays(today, -95), to: today }
    const account: Account = { habits: [limit], pausesOfAll: [], weekStart: 1, range }
    await store(db, 'ada', account)
    await expectRead(db, account)
    const time = { today, weekStart: 1, dayAt: dayInUtc } as const
    const kept = await completedHabits(db, 'ada', { from: addDays(today, -20), to: today }, time)
    expect(total(kept.map(({ completed }) => completed))).toBe(20)
  })
})

const daily: HabitDays = {
  rows: [{ from_day: today, rhythm: { every: 1 }, target: 'yes' }],
  startDay: today,
  archivedOn: null,
  states: new Map([[today, 'done']]),
  amounts: new Map(),
  pauses: [],
  weekStart: 1,
}
const asked = { weekStart: 1 as const, range: { from: addDays(today, -780), to: today } }

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
