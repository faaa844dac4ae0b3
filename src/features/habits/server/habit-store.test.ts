import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, type Day, daysFrom } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { Database } from '#platform/database/database.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { runs } from '../../../../testing/runs.ts'
import {
  currentStreak,
  type Frequency,
  isCompleted,
  keptBetween,
  longestStreak,
  periodEnd,
  periodStart,
  rateRange,
  rhythmOf,
} from '../streak.ts'
import { completeDay, listCompletions, takeBackCompletions, togglePeriod } from './completion-store.ts'
import type { UserTime } from './habit-row-store.ts'
import {
  addHabit,
  changeHabit,
  deleteHabit,
  listHabits,
  purgeDeletedHabits,
  restoreHabit,
} from './habit-store.ts'
import { completedHabits, countCompletedHabits } from './history-store.ts'

const friday = '2026-11-20' as Day
const time: UserTime = {
  today: friday,
  weekStart: 1,
  now: Date.parse('2026-11-20T12:00:00Z'),
  zoneIn: async () => 'Europe/Copenhagen',
}
const reading = { name: 'Read', description: '', frequency: 'daily' as Frequency, startDay: friday, at: 1 }

describeEachEngine('habits', (openEmpty, engine) => {
  async function withUsers(...users: string[]): Promise<Database> {
    const db = await openEmpty()
    for (const user of users) await addUser(db.auth, engine, user)
    return db
  }

  test('a habit is listed with its streaks, and only for its user', async () => {
    const db = await withUsers('ada', 'bob')
    await addHabit(db, 'ada', 'h', reading, time)
    for (const back of [0, 1, 2, 4]) {
      await completeDay(db, 'ada', 'h', { day: addDays(friday, -back), completed: true, at: 2 }, time)
    }
    const [habit] = await listHabits(db, 'ada', time)
    expect(habit).toMatchObject({
      name: 'Read',
      completed: true,
      current_streak: 3,
      longest_streak: 3,
      start_date: '2026-11-16',
      completion_rate: 4 / 5,
      recent: ['2026-11-16', '2026-11-18', '2026-11-19', '2026-11-20'],
    })
    expect(await listHabits(db, 'bob', time)).toEqual([])
    expect(await completeDay(db, 'bob', 'h', { day: friday, at: 3 }, time)).toBeUndefined()
    expect(await listCompletions(db, 'bob', 'h', { from: friday, to: friday })).toBeUndefined()
    expect(
      await takeBackCompletions(db, 'bob', 'h', { from: friday, to: friday }, { at: 3 }, time),
    ).toBeUndefined()
  })

  test('the toggle takes back every completion of the week, and completes today when there is none', async () => {
    const db = await withUsers('ada')
    await addHabit(db, 'ada', 'h', { ...reading, frequency: 'weekly' }, time)
    for (const day of ['2026-11-16', '2026-11-18', '2026-11-15'] as Day[]) {
      await completeDay(db, 'ada', 'h', { day, completed: true, at: 2 }, time)
    }
    expect(await togglePeriod(db, 'ada', 'h', { at: 3 }, time)).toMatchObject({
      completed: false,
      current_streak: 1,
    })
    const weeks = { from: '2026-11-09' as Day, to: '2026-11-22' as Day }
    expect(await listCompletions(db, 'ada', 'h', weeks)).toEqual(['2026-11-15'])
    expect(await togglePeriod(db, 'ada', 'h', { at: 4 }, time)).toMatchObject({
      completed: true,
      current_streak: 2,
    })
    expect(await listCompletions(db, 'ada', 'h', weeks)).toEqual(['2026-11-15', '2026-11-20'])
  })

  test('an older change of a day that arrives late is let go', async () => {
    const db = await withUsers('ada')
    await addHabit(db, 'ada', 'h', reading, time)
    await completeDay(db, 'ada', 'h', { day: friday, completed: true, at: 20 }, time)
    expect(await completeDay(db, 'ada', 'h', { day: friday, completed: false, at: 10 }, time)).toMatchObject({
      completed: true,
    })
  })

  test('the same id again adds nothing, and a deleted one stays deleted', async () => {
    const db = await withUsers('ada')
    await addHabit(db, 'ada', 'h', reading, time)
    expect(await addHabit(db, 'ada', 'h', { ...reading, name: 'Other' }, time)).toMatchObject({
      created: false,
      habit: { name: 'Read' },
    })
    expect(await deleteHabit(db, 'ada', 'h', 5)).toBe(true)
    expect(await addHabit(db, 'ada', 'h', reading, time)).toBe('deleted')
    expect(await listHabits(db, 'ada', time)).toEqual([])
  })

  test('restoring brings every completion back; a purge after that deletion leaves none', async () => {
    const db = await withUsers('ada')
    await addHabit(db, 'ada', 'h', reading, time)
    await completeDay(db, 'ada', 'h', { day: friday, completed: true, at: 2 }, time)
    await deleteHabit(db, 'ada', 'h', 5)
    expect(await restoreHabit(db, 'ada', 'h', 6, time)).toMatchObject({ current_streak: 1 })
    await deleteHabit(db, 'ada', 'h', 7)
    expect(await purgeDeletedHabits(db, 8)).toBe(1)
    expect(await db.read.selectFrom('completions').selectAll().execute()).toEqual([])
  })

  test('a long history gives the same numbers as a short one, and a day far back changes them at once', async () => {
    const db = await withUsers('ada')
    await addHabit(db, 'ada', 'h', reading, time)
    const days = daysFrom(addDays(friday, -1_000), friday).filter((day) => day !== '2025-03-01')
    await db.write((tx) =>
      tx
        .insertInto('completions')
        .values(days.map((day) => ({ user_id: 'ada', habit_id: 'h', day, done: 1 as const, changed_at: 1 })))
        .execute(),
    )
    // As an import would: the sum of the empty habit is not right any more, so it goes in the same write.
    await completeDay(db, 'ada', 'h', { day: addDays(friday, -1_000), completed: true, at: 2 }, time)
    const gap = days.filter((day) => day > '2025-03-01').length
    expect((await listHabits(db, 'ada', time))[0]).toMatchObject({ current_streak: gap, longest_streak: gap })
    await completeDay(db, 'ada', 'h', { day: '2025-03-01' as Day, completed: true, at: 3 }, time)
    expect((await listHabits(db, 'ada', time))[0]).toMatchObject({
      current_streak: 1_001,
      longest_streak: 1_001,
    })
  })

  test('writes and reads in any order never show a stale number', async () => {
    const db = await withUsers('ada')
    const day = fc.integer({ min: -2, max: 450 })
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ does: fc.constant('complete' as const), day, done: fc.boolean() }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          does: fc.constant('stretch' as const),
          day,
          length: fc.integer({ min: 2, max: 12 }),
        }),
      },
      { weight: 2, arbitrary: fc.record({ does: fc.constant('toggle' as const) }) },
      {
        weight: 1,
        arbitrary: fc.record({
          does: fc.constant('take back' as const),
          day,
          length: fc.integer({ min: 0, max: 30 }),
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
        weight: 2,
        arbitrary: fc.record({
          does: fc.constant('days pass' as const),
          days: fc.integer({ min: 1, max: 150 }),
        }),
      },
    )
    let made = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        made += 1
        const id = `habit-${made}`
        let now: UserTime = time
        let at = 1
        let frequency: Frequency = 'daily'
        const done = new Set<Day>()
        let startDay = friday
        await addHabit(db, 'ada', id, reading, now)
        const complete = async (on: Day, completed: boolean) => {
          await completeDay(db, 'ada', id, { day: on, completed, at }, now)
          if (completed) done.add(on)
          else done.delete(on)
          if (completed && on < startDay) startDay = on
        }
        for (const what of steps) {
          at += 1
          if (what.does === 'complete') await complete(addDays(now.today, -what.day), what.done)
          if (what.does === 'stretch') {
            for (let n = 0; n < what.length; n += 1) await complete(addDays(now.today, -what.day - n), true)
          }
          if (what.does === 'toggle') {
            const rhythm = rhythmOf({ frequency }, now)
            await togglePeriod(db, 'ada', id, { at }, now)
            const period = daysFrom(periodStart(now.today, rhythm), periodEnd(now.today, rhythm))
            const wasDone = period.some((one) => done.has(one))
            for (const one of period) done.delete(one)
            if (!wasDone) done.add(now.today)
          }
          if (what.does === 'take back') {
            const range = {
              from: addDays(now.today, -what.day - what.length),
              to: addDays(now.today, -what.day),
            }
            await takeBackCompletions(db, 'ada', id, range, { at }, now)
            for (const one of daysFrom(range.from, range.to)) done.delete(one)
          }
          if (what.does === 'frequency') {
            frequency = what.to
            await changeHabit(db, 'ada', id, { frequency, at }, now)
          }
          if (what.does === 'week start') now = { ...now, weekStart: what.to }
          if (what.does === 'days pass') now = { ...now, today: addDays(now.today, what.days) }

          const habit = (await listHabits(db, 'ada', now)).find((each) => each.id === id)
          const rhythm = rhythmOf({ frequency }, now)
          const days = [...done]
          const kept = keptBetween(days, rateRange(now.today, rhythm), startDay, now.today, rhythm)
          expect(habit).toMatchObject({
            completed: isCompleted(days, now.today, rhythm),
            current_streak: currentStreak(days, now.today, rhythm),
            longest_streak: longestStreak(days, rhythm),
            completion_rate: kept.due === 0 ? null : kept.done / kept.due,
            start_date: startDay,
          })
          const { since = [], earlier } = habit ?? {}
          expect(currentStreak(since as Day[], now.today, rhythm, earlier as never)).toBe(
            habit?.current_streak,
          )
          expect(longestStreak(since as Day[], rhythm, earlier as never)).toBe(habit?.longest_streak)
        }
        await deleteHabit(db, 'ada', id, at)
      }),
      { numRuns: runs(1_000, 15) },
    )
  })

  test('a range of days counts what was due and done, and the count of today counts periods', async () => {
    const db = await withUsers('ada')
    await addHabit(db, 'ada', 'daily', { ...reading, startDay: '2026-11-17' as Day }, time)
    await addHabit(
      db,
      'ada',
      'weekly',
      { ...reading, frequency: 'weekly', startDay: '2026-11-02' as Day },
      time,
    )
    await completeDay(db, 'ada', 'daily', { day: '2026-11-18' as Day, completed: true, at: 2 }, time)
    await completeDay(db, 'ada', 'weekly', { day: '2026-11-18' as Day, completed: true, at: 2 }, time)
    await completeDay(db, 'ada', 'weekly', { day: '2026-11-19' as Day, completed: true, at: 2 }, time)
    const range = { from: '2026-11-15' as Day, to: friday }
    expect(await completedHabits(db, 'ada', range, time)).toEqual([
      { day: '2026-11-15', completed: 0, due: 1 },
      { day: '2026-11-16', completed: 0, due: 0 },
      { day: '2026-11-17', completed: 0, due: 1 },
      { day: '2026-11-18', completed: 2, due: 2 },
      { day: '2026-11-19', completed: 0, due: 1 },
      { day: '2026-11-20', completed: 0, due: 1 },
    ])
    expect(await countCompletedHabits(db, 'ada', time)).toEqual({ count: 1, total: 2 })
  })
})
