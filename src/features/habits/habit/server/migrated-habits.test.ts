import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { undoHabits } from '#features/habits/account-file/server/undone-import-store.ts'
import type { UserTime } from '#features/habits/past/server/habit-days-store.ts'
import {
  countPeriods,
  currentStreak,
  type Frequency,
  isCompleted,
  longestStreak,
  rateRange,
} from '#features/habits/testing/former-streak.ts'
import { addDays, type Day, dayOf } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { Database } from '#platform/database/database.ts'
import { migrations } from '#platform/database/migrations/migrations.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngineUrl } from '#platform/database/testing/engines.ts'
import { runs } from '../../../../../testing/runs.ts'
import { listHabits } from './habit-list-store.ts'

const today = '2026-11-20' as Day
const time = {
  today,
  dayAt: (instant: number) => dayOf(instant, 'UTC', 0),
  now: Date.parse('2026-11-20T12:00:00Z'),
  zoneIn: async () => 'UTC',
}

/** Stretches of days that were done, and the gaps between them, from today or a day about it back. */
const habit = fc.record({
  frequency: fc.constantFrom<Frequency[]>('daily', 'weekly'),
  created: fc.integer({ min: 1, max: 5 }),
  startedBefore: fc.nat({ max: 60 }),
  ahead: fc.integer({ min: -20, max: 1 }),
  stretches: fc.array(fc.tuple(fc.integer({ min: 1, max: 25 }), fc.integer({ min: 1, max: 150 })), {
    maxLength: 8,
  }),
  undone: fc.array(fc.nat({ max: 400 }), { maxLength: 5 }),
})
const account = fc.record({
  weekStart: fc.constantFrom<WeekStart[]>(1, 2, 3, 4, 5, 6, 7),
  habits: fc.array(habit, { minLength: 1, maxLength: 5 }),
})
type Account = typeof account extends fc.Arbitrary<infer Made> ? Made : never
type FormerHabit = Account['habits'][number]

function doneDays({ ahead, stretches, undone }: FormerHabit): Day[] {
  const days: Day[] = []
  let last = addDays(today, ahead)
  for (const [length, gap] of stretches) {
    for (let back = 0; back < length; back += 1) days.push(addDays(last, -back))
    last = addDays(last, -length - gap)
  }
  const taken = new Set(undone.map((back) => addDays(today, -back)))
  return days.filter((day) => !taken.has(day)).sort()
}

function startDay(of: FormerHabit): Day {
  const [first = today] = doneDays(of)
  return addDays(first < today ? first : today, -of.startedBefore)
}

/** By what decided them before there were rhythms. */
function formerNumbers(of: FormerHabit, weekStart: WeekStart) {
  const days = doneDays(of)
  const rhythm = { frequency: of.frequency, weekStart }
  const { done, due } = countPeriods(days, rateRange(today, rhythm), startDay(of), today, rhythm)
  return {
    frequency: of.frequency,
    start_date: startDay(of),
    completed: isCompleted(days, today, rhythm),
    current_streak: currentStreak(days, today, rhythm),
    longest_streak: longestStreak(days, rhythm),
    completion_rate: due === 0 ? null : done / due,
    recent: days.filter((day) => day >= addDays(today, -6) && day <= today),
  }
}

const idOf = (place: number) => `01900000-0000-7000-8000-00000000000${place}`

/** As the program before the migration stored it. */
async function storeFormer(db: Database, user: string, { habits }: Account): Promise<void> {
  await db.write(async (tx) => {
    for (const [place, each] of habits.entries()) {
      await sql`
        insert into habits (user_id, id, name, name_at, description, description_at, frequency, frequency_at, start_day,
          reminder_changed_at, created_at, updated_at, deletion_changed_at)
        values (${user}, ${idOf(place)}, 'Read', 1, '', 1, ${each.frequency}, 1, ${startDay(each)}, 1, ${each.created},
          1, 1)`.execute(tx)
      for (const day of doneDays(each)) {
        await sql`insert into completions (user_id, habit_id, day, done, changed_at)
          values (${user}, ${idOf(place)}, ${day}, 1, 1)`.execute(tx)
      }
      for (const back of each.undone) {
        await sql`insert into completions (user_id, habit_id, day, done, changed_at)
          values (${user}, ${idOf(place)}, ${addDays(today, -back)}, 0, 1)
          on conflict do nothing`.execute(tx)
      }
    }
  })
}

describeEachEngineUrl('Habits from before there were rhythms', (emptyUrl, engine) => {
  test('show every number as before, in the same order', async () => {
    const before = migrations.slice(
      0,
      migrations.findIndex(({ name }) => name === '0022-rhythms'),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(account, { minLength: 25, maxLength: 25 }), async (accounts) => {
        const url = await emptyUrl()
        const former = await openDatabase(url, before)
        for (const [place, each] of accounts.entries()) {
          await addUser(former.auth, engine, `user ${place}`)
          await storeFormer(former, `user ${place}`, each)
        }
        await former.close()

        const db = await openDatabase(url)
        for (const [place, { weekStart, habits }] of accounts.entries()) {
          const now: UserTime = { ...time, weekStart }
          const listed = (await Array.fromAsync(listHabits(db, `user ${place}`, now))).flat()
          const inOrder = habits
            .map((each, number) => ({ each, number }))
            .sort((a, b) => a.each.created - b.each.created || a.number - b.number)
          expect(listed.map(({ id }) => id)).toEqual(inOrder.map(({ number }) => idOf(number)))
          for (const [index, { each }] of inOrder.entries()) {
            expect(listed[index]).toMatchObject(formerNumbers(each, weekStart))
          }
        }
        await db.close()
      }),
      { numRuns: runs(20, 1) },
    )
  })
})

describeEachEngineUrl('Habits whose start imports had moved', (emptyUrl, engine) => {
  test('begin where they began, and where they would have begun once that import is undone', async () => {
    const url = await emptyUrl()
    const before = migrations.slice(
      0,
      migrations.findIndex(({ name }) => name === '0025-habit-starts'),
    )
    const former = await openDatabase(url, before)
    await addUser(former.auth, engine, 'ada')
    const moves = [
      { import_id: 'one', from: '2026-11-10', to: '2026-11-05' },
      { import_id: 'two', from: '2026-11-05', to: '2026-11-02' },
    ]
    await former.write(async (tx) => {
      await sql`
        insert into habits (user_id, id, name, name_at, description, description_at, start_day, reminder_changed_at,
          created_at, updated_at, deletion_changed_at, archive_changed_at, starts_before_imports)
        values ('ada', ${idOf(1)}, 'Read', 1, '', 1, '2026-11-02', 1, 1, 1, 1, 1, ${JSON.stringify(moves)})`.execute(
        tx,
      )
      await sql`
        insert into rhythms (user_id, habit_id, from_day, rhythm, rhythm_at, target, target_at)
        values ('ada', ${idOf(1)}, '2026-11-10', '{"every":1}', 1, '"yes"', 1)`.execute(tx)
      for (const [importId, day] of [
        ['one', '2026-11-05'],
        ['two', '2026-11-02'],
      ])
        await sql`
          insert into completions (user_id, habit_id, day, done, changed_at, import_id, imported_at, before_import)
          values ('ada', ${idOf(1)}, ${day}, 1, 5, ${importId}, 5, 'none')`.execute(tx)
    })
    await former.close()

    const db = await openDatabase(url)
    const starts = async () => {
      const listed = (await Array.fromAsync(listHabits(db, 'ada', { ...time, weekStart: 1 }))).flat()
      return listed.map(({ start_date, chosen_start }) => [start_date, chosen_start.day])
    }
    expect(await starts()).toEqual([['2026-11-02', '2026-11-10']])
    await undoHabits(db, 'ada', 'two', time.now)
    expect(await starts()).toEqual([['2026-11-05', '2026-11-10']])
    await undoHabits(db, 'ada', 'one', time.now)
    expect(await starts()).toEqual([['2026-11-10', '2026-11-10']])
    await db.close()
  })
})
