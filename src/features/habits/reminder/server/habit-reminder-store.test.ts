import { beforeEach, expect, test } from 'vitest'
import type { HabitDays } from '#features/habits/rhythm/habit-track.ts'
import type { Rhythm, Target } from '#features/habits/rhythm/rhythm.ts'
import { dayInUtc, storeHabit } from '#features/habits/testing/store-habit.ts'
import { addDays, type Day } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { habitToRemindOf } from './habit-reminder-store.ts'

const friday = '2026-11-20' as Day
const [monday, tuesday, wednesday, thursday] = [-4, -3, -2, -1].map((days) => addDays(friday, days)) as [
  Day,
  Day,
  Day,
  Day,
]
const sunday = addDays(friday, 2)

const glasses = (per: 'day' | 'week' | 'month'): Target => ({
  at: 'least',
  amount: 8_000,
  unit: 'glasses',
  per,
})
const atMostTwo = (per: 'day' | 'week'): Target => ({ at: 'most', amount: 2_000, unit: 'cups', per })

interface Recipe {
  rhythm: Rhythm
  target?: Target
  done?: Day[]
  skipped?: Day[]
  amounts?: Record<string, number>
  archivedOn?: Day
}

function habitOf({
  rhythm,
  target = 'yes',
  done = [],
  skipped = [],
  amounts = {},
  archivedOn,
}: Recipe): HabitDays {
  const startDay = '2026-10-01' as Day
  return {
    rows: [{ from_day: startDay, rhythm, target }],
    startDay,
    archivedOn: archivedOn ?? null,
    states: new Map([
      ...done.map((day) => [day, 'done'] as const),
      ...skipped.map((day) => [day, 'skipped'] as const),
    ]),
    amounts: new Map(Object.entries(amounts) as [Day, number][]),
    pauses: [],
    weekStart: 1,
  }
}

describeEachEngine('a reminder of a habit', (openEmpty, engine) => {
  let db: Database
  let habits = 0
  beforeEach(async () => {
    db = await openEmpty()
    for (const user of ['ada', 'bob']) await addUser(db.auth, engine, user)
    habits = 0
  })
  const calendar = { weekStart: 1, dayAt: dayInUtc } as const
  /** Stores another habit of Ada's, and asks what its reminder of a day would say. */
  async function on(day: Day, recipe: Recipe) {
    habits += 1
    const id = `habit ${habits}`
    await db.write((tx) => storeHabit(tx, 'ada', id, habitOf(recipe)))
    return habitToRemindOf(db, 'ada', id, day, calendar)
  }

  const threeAWeek: Rhythm = { times: 3, per: 'week' }

  test('says how far the week is, and comes until it has been done as often', async () => {
    expect(await on(friday, { rhythm: threeAWeek, done: [monday, wednesday] })).toEqual({
      title: 'Read',
      hasReminder: false,
      asks: 'day',
      isLimit: false,
      lastDay: friday,
      soFar: { reached: 2, target: 3, within: 'week' },
    })
    expect(await on(friday, { rhythm: threeAWeek, done: [monday, wednesday, thursday] })).toBe('done')
    expect(await on(friday, { rhythm: threeAWeek, done: [monday, friday] })).toBe('done')
  })

  test('does not come once it is no longer possible', async () => {
    expect(await on(friday, { rhythm: threeAWeek })).toMatchObject({ soFar: { reached: 0, target: 3 } })
    expect(await on(addDays(friday, 1), { rhythm: threeAWeek })).toBe('done')
    // Two days that are skipped lower the three to two.
    const skipped = [monday, tuesday]
    expect(await on(addDays(friday, 1), { rhythm: threeAWeek, skipped })).toBe('done')
    const moreSkipped = [...skipped, wednesday]
    expect(await on(addDays(friday, 1), { rhythm: threeAWeek, skipped: moreSkipped })).toMatchObject({
      soFar: { target: 2 },
    })
  })

  test('of the specification comes as before: of Daily until today is done, of Weekly until its week is', async () => {
    const daily: Rhythm = { every: 1 }
    expect(await on(friday, { rhythm: daily, done: [thursday] })).toMatchObject({ asks: 'day', soFar: null })
    expect(await on(friday, { rhythm: daily, done: [friday] })).toBe('done')
    const weekly: Rhythm = { times: 1, per: 'week' }
    expect(await on(friday, { rhythm: weekly, done: [addDays(monday, -1)] })).toMatchObject({
      asks: 'week',
      lastDay: sunday,
      soFar: null,
    })
    expect(await on(friday, { rhythm: weekly, done: [monday] })).toBe('done')
  })

  test('comes only on days on which it is due', async () => {
    expect(await on(friday, { rhythm: { weekdays: [1, 3, 5] } })).toMatchObject({
      asks: 'day',
      lastDay: friday,
    })
    expect(await on(thursday, { rhythm: { weekdays: [1, 3, 5] } })).toBe('done')
    expect(await on('2026-10-03' as Day, { rhythm: { every: 2 } })).toMatchObject({ asks: 'day' })
    expect(await on('2026-10-04' as Day, { rhythm: { every: 2 } })).toBe('done')
    expect(await on('2026-09-30' as Day, { rhythm: { every: 1 } })).toBe('done')
  })

  test('says how much of an amount is there, of the day or of the whole week or month', async () => {
    const rhythm: Rhythm = { every: 1 }
    expect(await on(friday, { rhythm, target: glasses('day') })).toMatchObject({ asks: 'day', soFar: null })
    expect(await on(friday, { rhythm, target: glasses('day'), amounts: { [friday]: 3_000 } })).toMatchObject({
      soFar: { reached: 3_000, target: 8_000, unit: 'glasses' },
    })
    expect(await on(friday, { rhythm, target: glasses('day'), amounts: { [friday]: 8_000 } })).toBe('done')
    const amounts = { '2026-11-01': 5_000, [friday]: 1_000 }
    expect(await on(friday, { rhythm, target: glasses('month'), amounts })).toMatchObject({
      asks: 'month',
      lastDay: '2026-11-30',
      soFar: { reached: 6_000 },
    })
    expect(await on(friday, { rhythm, target: glasses('week'), amounts })).toMatchObject({
      asks: 'week',
      lastDay: sunday,
      soFar: { reached: 1_000 },
    })
  })

  test('of a limit comes until something is entered, or it is passed', async () => {
    const rhythm: Rhythm = { every: 1 }
    expect(await on(friday, { rhythm, target: atMostTwo('day') })).toMatchObject({
      isLimit: true,
      soFar: null,
    })
    expect(await on(friday, { rhythm, target: atMostTwo('day'), amounts: { [friday]: 0 } })).toBe('done')
    expect(await on(friday, { rhythm, target: atMostTwo('day'), amounts: { [friday]: 3_000 } })).toBe('done')
    expect(await on(friday, { rhythm, target: atMostTwo('week'), amounts: { [monday]: 3_000 } })).toBe('done')
    expect(
      await on(friday, { rhythm, target: atMostTwo('week'), amounts: { [monday]: 2_000 } }),
    ).toMatchObject({
      asks: 'day',
      isLimit: true,
    })
  })

  test('does not come for a day that is skipped or paused, nor of an archived habit', async () => {
    const rhythm: Rhythm = { every: 1 }
    expect(await on(friday, { rhythm, skipped: [friday] })).toBe('done')
    expect(await on(friday, { rhythm, skipped: [thursday] })).toMatchObject({ asks: 'day' })
    expect(await on(friday, { rhythm, archivedOn: friday })).toBe('done')
    const id = `habit ${habits}`
    await db.write((tx) => tx.updateTable('habits').set({ archived_at: null }).execute())
    const asked = (day: Day) => habitToRemindOf(db, 'ada', id, day, calendar)
    const stamps = { from_day_at: 0, to_day_at: 0, created_at: 0, updated_at: 0, deletion_changed_at: 0 }
    const pause = { user_id: 'ada', id: 'pause', from_day: thursday, to_day: friday, ...stamps }
    const pauseOf = async (user_id: string, habit_id: string | null) => {
      await db.write(async (tx) => {
        await tx.deleteFrom('pauses').execute()
        await tx
          .insertInto('pauses')
          .values({ ...pause, user_id, habit_id })
          .execute()
      })
    }
    for (const habit_id of [id, null]) {
      await pauseOf('ada', habit_id)
      expect(await asked(friday)).toBe('done')
      expect(await asked(addDays(friday, 1))).toMatchObject({ asks: 'day' })
    }
    for (const [user, habit_id] of [
      ['ada', 'another'],
      ['bob', null],
    ] as const) {
      await pauseOf(user, habit_id)
      expect(await asked(friday)).toMatchObject({ asks: 'day' })
    }
  })

  test('is not there for somebody else, nor once the habit is deleted', async () => {
    expect(await on(friday, { rhythm: { every: 1 } })).toMatchObject({ title: 'Read' })
    expect(await habitToRemindOf(db, 'bob', 'habit 1', friday, calendar)).toBeUndefined()
    await db.write((tx) => tx.updateTable('habits').set({ deleted_at: 1 }).execute())
    expect(await habitToRemindOf(db, 'ada', 'habit 1', friday, calendar)).toBeUndefined()
  })
})
