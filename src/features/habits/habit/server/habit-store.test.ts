import { expect, test } from 'vitest'
import { importCompletions } from '#features/habits/account-file/server/import-habit-store.ts'
import { completeDay, togglePeriod, undoCompletions } from '#features/habits/days/server/completion-store.ts'
import { listCompletions } from '#features/habits/days/server/day-list-store.ts'
import { numbersOf } from '#features/habits/past/habit-summary.ts'
import { readDaysOf, type UserTime } from '#features/habits/past/server/habit-days-store.ts'
import { completedHabits, countCompletedHabits } from '#features/habits/past/server/habits-due-store.ts'
import { isCompletedOn } from '#features/habits/rhythm/day-state.ts'
import { trackOf } from '#features/habits/rhythm/habit-track.ts'
import { type Frequency, rhythmOfFrequency } from '#features/habits/rhythm/rhythm.ts'
import { addDays, type Day, dayOf, daysFrom } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { purgeDeleted } from '#platform/database/rows/delete-rows.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { listHabits as listInGroups } from './habit-list-store.ts'
import { habitRows } from './habit-rows.ts'
import { addHabit, changeHabit, deleteHabit, restoreHabit } from './habit-store.ts'

const friday = '2026-11-20' as Day
const time: UserTime = {
  today: friday,
  weekStart: 1,
  dayAt: (instant) => dayOf(instant, 'Europe/Copenhagen', 0),
  now: Date.parse('2026-11-20T12:00:00Z'),
  zoneIn: async () => 'Europe/Copenhagen',
}
const reading = { name: 'Read', description: '', frequency: 'daily' as Frequency, start_date: friday, at: 1 }

async function listHabits(db: Database, user: string, time: UserTime) {
  return (await Array.fromAsync(listInGroups(db, user, time))).flat()
}

function streaks(done: ReadonlySet<Day>, frequency: Frequency, { today, weekStart }: UserTime) {
  const [startDay = today] = [...done].toSorted()
  const track = trackOf({
    rows: [{ from_day: startDay, rhythm: rhythmOfFrequency(frequency), target: 'yes' }],
    startDay,
    archivedOn: null,
    states: new Map([...done].map((day) => [day, 'done'])),
    amounts: new Map(),
    pauses: [],
    weekStart,
  })
  const { current, longest } = numbersOf(track, today).streaks
  return { completed: isCompletedOn(track, today), current_streak: current, longest_streak: longest }
}

function idOf(number: number): string {
  return `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
}

function numberOf(id: string): number {
  return Number(id.slice(-12))
}

/** By when it was made. */
function place(id: string): number {
  return Math.floor(numberOf(id) / 3)
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
    expect(await listCompletions(db, 'bob', 'h', { from: friday, to: friday }, time)).toBeUndefined()
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
    expect(await listCompletions(db, 'ada', 'h', weeks, time)).toEqual(['2026-11-15'])
    expect(await togglePeriod(db, 'ada', 'h', { at: 4 }, time)).toMatchObject({
      completed: true,
      current_streak: 2,
    })
    expect(await listCompletions(db, 'ada', 'h', weeks, time)).toEqual(['2026-11-15', '2026-11-20'])
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

  test('a rhythm that makes the rate look back further, and a start that moves back, count at once', async () => {
    const db = await withUsers('ada')
    const at = Date.parse('2026-11-20T08:00:00Z')
    const first = addDays(friday, -420)
    await addHabit(db, 'ada', 'h', { ...reading, start_date: addDays(friday, -200), at }, time)
    const untouched = { day: first, completed: false, at: at + 20 }
    await completeDay(db, 'ada', 'h', untouched, time)
    for (let back = 20; back < 200; back += 3) {
      await completeDay(db, 'ada', 'h', { day: addDays(friday, -back), completed: true, at: at + 1 }, time)
    }
    const listedAsCounted = async () => {
      const [listed] = await listHabits(db, 'ada', time)
      const days = await db.snapshot(async (tx) => {
        const row = await tx.selectFrom('habits').selectAll().executeTakeFirstOrThrow()
        return (await readDaysOf(tx, row, { from: first }, time)).days
      })
      const { completionRate, strength } = numbersOf(trackOf(days), friday)
      expect(listed?.completion_rate).toBe(completionRate)
      expect(listed?.strength).toBeCloseTo(strength ?? Number.NaN, 9)
      return { completionRate, strength }
    }
    const before = await listedAsCounted()
    await changeHabit(db, 'ada', 'h', { start_date: first, at: at + 10 }, time)
    const started = await listedAsCounted()
    expect(started.strength).not.toBe(before.strength)
    await changeHabit(db, 'ada', 'h', { rhythm: { times: 1, per: 'month' }, at: at + 30 }, time)
    expect((await listedAsCounted()).completionRate).not.toBe(started.completionRate)
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
    const ids = Array.from({ length: 130 }, (_, nth) => idOf(nth))
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
        const done = new Set([addDays(friday, -numberOf(id))])
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
