import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, type Day, daysFrom } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { Database } from '#platform/database/database.ts'
import { purgeDeleted } from '#platform/database/delete-rows.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { runs } from '../../../../testing/runs.ts'
import {
  countPeriods,
  currentStreak,
  type Frequency,
  isCompleted,
  longestStreak,
  periodEnd,
  periodStart,
  rateRange,
  rhythmOf,
} from '../streak.ts'
import { completeDay, listCompletions, togglePeriod, undoCompletions } from './completion-store.ts'
import { importCompletions } from './exported-habit-store.ts'
import { listHabits as listInGroups } from './habit-list-store.ts'
import type { UserTime } from './habit-row-store.ts'
import { habitRows } from './habit-rows.ts'
import { addHabit, changeHabit, deleteHabit, restoreHabit } from './habit-store.ts'
import { completedHabits, countCompletedHabits } from './history-store.ts'

const friday = '2026-11-20' as Day
const time: UserTime = {
  today: friday,
  weekStart: 1,
  now: Date.parse('2026-11-20T12:00:00Z'),
  zoneIn: async () => 'Europe/Copenhagen',
}
const reading = { name: 'Read', description: '', frequency: 'daily' as Frequency, start_date: friday, at: 1 }

async function listHabits(db: Database, user: string, time: UserTime) {
  return (await Array.fromAsync(listInGroups(db, user, time))).flat()
}

function streaks(done: ReadonlySet<Day>, frequency: Frequency, now: UserTime) {
  const rhythm = rhythmOf({ frequency }, now)
  const days = [...done]
  return {
    completed: isCompleted(days, now.today, rhythm),
    current_streak: currentStreak(days, now.today, rhythm),
    longest_streak: longestStreak(days, rhythm),
  }
}

/** By when it was made. */
function place(id: string): number {
  return Math.floor(Number(id.slice(6)) / 3)
}

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
      await undoCompletions(db, 'bob', 'h', { from: friday, to: friday }, { at: 3 }, time),
    ).toBeUndefined()
  })

  test('the toggle undoes every completion of the week, and completes today if there is none', async () => {
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

  test('an older change to a day that arrives late is ignored', async () => {
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
    expect(await purgeDeleted(db, habitRows, 8)).toBe(1)
    expect(await db.read.selectFrom('completions').selectAll().execute()).toEqual([])
  })

  test('a long history gives the same numbers as a short one, and a change to an old day updates them at once', async () => {
    const db = await withUsers('ada')
    await addHabit(db, 'ada', 'h', reading, time)
    const days = daysFrom(addDays(friday, -1_000), friday).filter((day) => day !== '2025-03-01')
    await db.write((tx) =>
      tx
        .insertInto('completions')
        .values(days.map((day) => ({ user_id: 'ada', habit_id: 'h', day, done: 1 as const, changed_at: 1 })))
        .execute(),
    )
    // As an import would: the sum of the empty habit is no longer correct, so the same write clears it.
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
    // Mostly recent days, where most boundaries are, and sometimes days from years ago.
    const day = fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: -2, max: 450 }) },
      { weight: 1, arbitrary: fc.integer({ min: 451, max: 3_000 }) },
    )
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
            await undoCompletions(db, 'ada', id, range, { at }, now)
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
          const kept = countPeriods(days, rateRange(now.today, rhythm), startDay, now.today, rhythm)
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

  test('old days change in any order and any rhythm, and the streaks are those of all completions', async () => {
    const db = await openEmpty()
    const first = addDays(friday, -40 * 365)
    const far = fc.integer({ min: 0, max: 40 * 365 + 200 })
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ does: fc.constant('turn over' as const), day: far }) },
      { weight: 1, arbitrary: fc.record({ does: fc.constant('import' as const), days: fc.array(far) }) },
      {
        weight: 1,
        arbitrary: fc.record({
          does: fc.constant('take back' as const),
          day: far,
          length: fc.integer({ min: 0, max: 365 }),
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
      { weight: 1, arbitrary: fc.record({ does: fc.constant('days pass' as const), days: fc.nat(400) }) },
      { weight: 1, arbitrary: fc.record({ does: fc.constant('delete and restore' as const) }) },
    )
    let made = 0
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 9 }),
        fc.array(step, { minLength: 1, maxLength: 15 }),
        async (gap, steps) => {
          // An account may not have as many completions as all runs have together.
          const user = `user ${made++}`
          await addUser(db.auth, engine, user)
          const id = 'old'
          let now: UserTime = time
          let frequency: Frequency = 'daily'
          let at = 1
          // Thousands of days: more than one write sums up.
          const done = new Set(daysFrom(first, addDays(friday, -50)).filter((_, nth) => nth % gap !== 0))
          await addHabit(db, user, id, { ...reading, start_date: first }, now)
          await db.write((tx) => importCompletions(tx, user, [{ habit_id: id, days: [...done] }], 1))
          for (const what of [{ does: 'days pass' as const, days: 0 }, ...steps]) {
            at += 1
            if (what.does === 'turn over') {
              const on = addDays(now.today, -what.day)
              const turned = await completeDay(db, user, id, { day: on, at }, now)
              if (!done.delete(on)) done.add(on)
              expect(turned).toMatchObject(streaks(done, frequency, now))
            }
            if (what.does === 'import') {
              const days = what.days.map((back) => addDays(now.today, -back))
              await db.write((tx) => importCompletions(tx, user, [{ habit_id: id, days }], at))
              for (const on of days) done.add(on)
            }
            if (what.does === 'take back') {
              const to = addDays(now.today, -what.day)
              const range = { from: addDays(to, -what.length), to }
              await undoCompletions(db, user, id, range, { at }, now)
              for (const on of daysFrom(range.from, range.to)) done.delete(on)
            }
            if (what.does === 'frequency') {
              frequency = what.to
              await changeHabit(db, user, id, { frequency, at }, now)
            }
            if (what.does === 'week start') now = { ...now, weekStart: what.to }
            if (what.does === 'days pass') now = { ...now, today: addDays(now.today, what.days) }
            if (what.does === 'delete and restore') {
              await deleteHabit(db, user, id, at)
              at += 1
              await restoreHabit(db, user, id, at, now)
            }
            const habit = (await listHabits(db, user, now)).find((each) => each.id === id)
            expect(habit).toMatchObject(streaks(done, frequency, now))
          }
        },
      ),
      { numRuns: runs(200, 3) },
    )
  })

  test('a change to an old day rereads only the year of that day', async () => {
    const db = await withUsers('ada')
    const first = '1990-01-01' as Day
    await addHabit(db, 'ada', 'h', { ...reading, start_date: first }, time)
    const days = daysFrom(first, friday)
    await db.write((tx) => importCompletions(tx, 'ada', [{ habit_id: 'h', days }], 1))
    expect(await listHabits(db, 'ada', time)).toMatchObject([{ longest_streak: days.length }])
    // Bypassing the store, which would notice.
    await db.write((tx) =>
      tx
        .updateTable('completions')
        .set({ done: 0 })
        .where('day', '=', '2005-06-01' as Day)
        .execute(),
    )
    await completeDay(db, 'ada', 'h', { day: '1995-06-01' as Day, completed: false, at: 2 }, time)
    const since = daysFrom('1995-06-02' as Day, friday).length
    expect(await listHabits(db, 'ada', time)).toMatchObject([
      { current_streak: since, longest_streak: since },
    ])
    // Years without completions are not reread either.
    const years = await db.read.selectFrom('habit_years').select('year').orderBy('year').execute()
    expect(years.map(({ year }) => year)).toEqual(Array.from({ length: 36 }, (_, nth) => 1990 + nth))
  })

  test('a day that changes while a long history is still being summed up counts with its new value', async () => {
    const db = await withUsers('ada')
    const first = '1990-01-01' as Day
    await addHabit(db, 'ada', 'h', { ...reading, start_date: first }, { ...time, today: '1990-01-10' as Day })
    await db.write((tx) =>
      importCompletions(tx, 'ada', [{ habit_id: 'h', days: daysFrom(first, friday) }], 1),
    )
    const listing = listInGroups(db, 'ada', time)
    expect(await listing.next()).toEqual({ done: false, value: [] })
    await completeDay(db, 'ada', 'h', { day: '1992-06-01' as Day, completed: false, at: 2 }, time)
    const since = daysFrom('1992-06-02' as Day, friday).length
    expect((await Array.fromAsync(listing)).flat()).toMatchObject([{ longest_streak: since }])
  })

  test('many habits are listed in batches, in order and with all of their numbers, each once', async () => {
    const db = await withUsers('ada')
    const ids = Array.from({ length: 130 }, (_, nth) => `habit ${nth}`)
    for (const [nth, id] of ids.entries()) {
      const frequency = nth % 2 === 0 ? 'daily' : 'weekly'
      await addHabit(db, 'ada', id, { ...reading, frequency, at: 1 + Math.floor(nth / 3) }, time)
      await completeDay(db, 'ada', id, { day: addDays(friday, -nth), completed: true, at: 200 }, time)
    }
    const inOrder = ids.toSorted((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
    for (const now of [time, { ...time, weekStart: 4 as const }]) {
      const groups = await Array.fromAsync(listInGroups(db, 'ada', now))
      expect(Math.max(...groups.map(({ length }) => length))).toBeLessThanOrEqual(10)
      const listed = groups.flat()
      expect(listed.map(({ id }) => id)).toEqual(inOrder)
      for (const { id, frequency, ...numbers } of listed) {
        const done = new Set([addDays(friday, -Number(id.slice(6)))])
        expect(numbers).toMatchObject(streaks(done, frequency, now))
      }
    }
  })

  test('a range of days counts what was due and done, and the count of today counts periods', async () => {
    const db = await withUsers('ada')
    await addHabit(db, 'ada', 'daily', { ...reading, start_date: '2026-11-17' as Day }, time)
    await addHabit(
      db,
      'ada',
      'weekly',
      { ...reading, frequency: 'weekly', start_date: '2026-11-02' as Day },
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
