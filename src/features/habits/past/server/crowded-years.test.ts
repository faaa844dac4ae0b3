import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Habit } from '#features/habits/habit/habit.ts'
import { sessionsChanged } from '#features/habits/habit/server/changed-day-store.ts'
import { listHabits } from '#features/habits/habit/server/habit-list-store.ts'
import { addHabit } from '#features/habits/habit/server/habit-store.ts'
import { trackOf } from '#features/habits/rhythm/habit-track.ts'
import { addDays, type Day, dayOf, daysFrom } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { countingInto, type Work } from '#platform/database/pacing/work.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { numbersOf } from '../habit-summary.ts'
import { readSessionsOf } from './focused-session-store.ts'
import { readDaysOf, type UserTime } from './habit-days-store.ts'

const today = '2026-11-20' as Day
const now = Date.parse('2026-11-20T12:00:00Z')
const dayAt = (instant: number) => dayOf(instant, 'UTC', 0)
const time: UserTime = { today, weekStart: 1, dayAt, now, zoneIn: async () => 'UTC' }

/** Since the first of January of the year before: more than one write reads, in either year. */
const days = daysFrom('2025-01-01' as Day, today)
/** Long before, after years with nothing, and before others. */
const once = '2021-05-05' as Day
const ofEachDay = 20

const never = { created_at: 1, updated_at: 1, deleted_at: null, deletion_changed_at: 1 }

type Kind = 'amounts' | 'sessions'

describeEachEngine('A habit with thousands of entries a year', (openEmpty, engine) => {
  test.each<Kind>(['amounts', 'sessions'])(
    'is summed up by writes that each read a share of its %s',
    async (kind) => {
      const db = await openEmpty()
      const user = await addCrowdedHabit(db, kind)
      const { counted, ofWrites } = countingWrites(db)
      const work: Work = { units: 0, cpu: 0 }
      const habit = await countingInto(work, () => listed(counted, user))
      expect(numbersShown(habit)).toEqual(await numbersOfAllDays(db, user))
      expect(habit.longest_streak).toBe(days.length)
      expect(Math.max(...ofWrites)).toBeLessThan(10_000)
      // A few looks at each entry, however many years have none.
      const inAll = ofWrites.reduce((sum, units) => sum + units, work.units)
      expect(inAll).toBeLessThan(10 * days.length * ofEachDay)

      // From then on it is read as it was stored.
      const before = ofWrites.length
      expect(numbersShown(await listed(counted, user))).toEqual(numbersShown(habit))
      expect(ofWrites.length).toBe(before)
    },
  )

  test('reads one year again once an old day changes, however many others it has', async () => {
    const db = await openEmpty()
    const user = await addCrowdedHabit(db, 'amounts')
    await listed(db, user)
    await db.writeFor(user, ['habits'], async (tx) => {
      await tx.updateTable('amounts').set({ deleted_at: now }).where('id', '=', `${once} 0`).execute()
      await sessionsChanged(tx, user, new Map([['h', [once]]]))
    })
    const work: Work = { units: 0, cpu: 0 }
    const habit = await countingInto(work, () => listed(db, user))
    expect(numbersShown(habit)).toEqual(await numbersOfAllDays(db, user))
    // Of the open year, which is never packed, all are read before the write, and most of them twice in vain.
    const ofOpenYear = days.filter((day) => day >= '2026').length * ofEachDay
    expect(work.units).toBeLessThan(3 * ofOpenYear)
  })

  test.each([
    ['before its third write', (write: number) => write === 3],
    ['before its fourth', (write: number) => write === 4],
    ['again and again', () => true],
  ])('keeps nothing of what changed while it was read: %s', async (_, changesBefore) => {
    const db = await openEmpty()
    const user = await addCrowdedHabit(db, 'amounts')
    // As of an account that has written nothing since there are revisions.
    await db.write(async (tx) => {
      await tx.deleteFrom('revisions').execute()
      await tx.deleteFrom('row_changes').execute()
    })
    let writes = 0
    let changes = 0
    const busy: Database = {
      ...db,
      async write(run) {
        writes += 1
        if (!changesBefore(writes)) return db.write(run)
        const day = addDays('2025-03-01' as Day, 50 * changes)
        changes += 1
        await db.writeFor(user, ['habits'], async (tx) => {
          await tx.updateTable('amounts').set({ deleted_at: now }).where('id', '=', `${day} 0`).execute()
          await sessionsChanged(tx, user, new Map([['h', [day]]]))
        })
        return db.write(run)
      },
    }
    await listed(busy, user)
    expect(changes).toBeGreaterThan(0)
    const habit = await listed(db, user)
    expect(numbersShown(habit)).toEqual(await numbersOfAllDays(db, user))
    expect(habit.longest_streak).toBeLessThan(days.length)
  })

  test('looks at its sessions once in a write, however many gaps its years have', async () => {
    const db = await openEmpty()
    await addUser(db.auth, engine, 'ada')
    const start_date = '1900-01-01' as Day
    await addHabit(db, 'ada', 'h', { name: 'Read', description: '', start_date, at: now }, time)
    const ticks = Array.from({ length: 63 }, (_, nth) => ({
      user_id: 'ada',
      habit_id: 'h',
      day: addDays(start_date, nth * 2 * 366),
      done: 1 as const,
      changed_at: 1,
    }))
    await db.write((tx) => tx.insertInto('completions').values(ticks).execute())
    await addSessions(
      db,
      days
        .slice(0, 400)
        .flatMap((day) => Array.from({ length: 5 }, (_, nth) => ({ id: `${day} ${nth}`, day }))),
    )
    // Every other year is packed from here on, and the years between them are empty.
    await db.write((tx) => tx.updateTable('habits').set(notSummed).execute())
    await listed(db, 'ada')
    await db.write((tx) => tx.updateTable('habits').set(notSummed).execute())
    const { counted, ofWrites } = countingWrites(db)
    const habit = await listed(counted, 'ada')
    expect(numbersShown(habit)).toEqual(await numbersOfAllDays(db, 'ada'))
    expect(Math.max(...ofWrites)).toBeLessThan(6_000)
  })

  // The code is the same on both engines, and filling takes PostgreSQL seconds.
  if (engine === 'sqlite')
    test('may have more days of sessions than a call takes arguments', async () => {
      const db = await openEmpty()
      await addUser(db.auth, engine, 'ada')
      const ofYear = daysFrom('2025-01-01' as Day, '2025-12-31' as Day)
      const ids = Array.from({ length: 400 }, (_, nth) => `session ${nth}`)
      await addSessions(
        db,
        ids.map((id) => ({ id, day: today })),
      )
      await db.write(async (tx) => {
        for (const session_id of ids) {
          const rows = ofYear.map((day) => ({ user_id: 'ada', session_id, day, seconds: 60 }))
          for (const batch of inBatches(rows)) await tx.insertInto('focus_days').values(batch).execute()
        }
      })
      const range = { from: '2025-01-01' as Day, to: '2025-12-31' as Day }
      const sessions = await readSessionsOf(db.read, { user_id: 'ada', id: 'h' }, range)
      expect(sessions.length).toBe(ids.length * ofYear.length)
    })

  async function addCrowdedHabit(db: Database, kind: Kind): Promise<string> {
    await addUser(db.auth, engine, 'ada')
    const unit = kind === 'amounts' ? 'glasses' : 'minutes'
    const target = { at: 'least', amount: ofEachDay * 1_000, unit, per: 'day' } as const
    const start_date = (kind === 'amounts' ? '2019-01-01' : '1900-01-01') as Day
    await addHabit(db, 'ada', 'h', { name: 'Drink', description: '', start_date, target, at: now }, time)
    const ids = [once, ...days].flatMap((day) =>
      Array.from({ length: ofEachDay }, (_, nth) => ({ id: `${day} ${nth}`, day })),
    )
    await db.write((tx) => tx.updateTable('habits').set(notSummed).execute())
    if (kind === 'sessions') await addSessions(db, ids)
    else {
      const entry = {
        ...never,
        user_id: 'ada',
        habit_id: 'h',
        value: 1_000,
        is_set: 0 as const,
        settles: null,
      }
      await db.write(async (tx) => {
        for (const batch of inBatches(ids)) {
          const rows = batch.map((each) => ({ ...entry, ...each }))
          await tx.insertInto('amounts').values(rows).execute()
        }
      })
    }
    return 'ada'
  }

  async function addSessions(db: Database, all: readonly { id: string; day: Day }[]): Promise<void> {
    const session = {
      ...never,
      user_id: 'ada',
      kind: 'countdown' as const,
      knows_phases: 1 as const,
      todo_id: null,
      habit_id: 'h',
      subject_at: 1,
      duration: 60,
      started_at: 1,
      ended_at: 60_001,
      time_at: 1,
    }
    await db.write(async (tx) => {
      for (const batch of inBatches(all)) {
        const rows = batch.map(({ id, day }) => ({ ...session, id, ended_on: day }))
        await tx.insertInto('focus_sessions').values(rows).execute()
      }
    })
    // As PostgreSQL does by itself within a minute: until then, it looks for the session of each day among all of them.
    if (engine === 'postgres') await sql`analyze focus_sessions`.execute(db.auth)
    await db.write(async (tx) => {
      for (const batch of inBatches(all)) {
        const rows = batch.map(({ id, day }) => ({ user_id: 'ada', session_id: id, day, seconds: 60 }))
        await tx.insertInto('focus_days').values(rows).execute()
      }
    })
    if (engine === 'postgres') await sql`analyze focus_days`.execute(db.auth)
  }
})

/** As after an import. */
const notSummed = { earlier_name: null, earlier_from: null, earlier_sum: null }

/** The database, and the units of work of each write. */
function countingWrites(db: Database): { counted: Database; ofWrites: number[] } {
  const ofWrites: number[] = []
  const counted: Database = {
    ...db,
    async write(run) {
      const work: Work = { units: 0, cpu: 0 }
      const done = await db.write((tx) => countingInto(work, () => run(tx)))
      ofWrites.push(work.units)
      return done
    },
  }
  return { counted, ofWrites }
}

async function listed(db: Database, user: string): Promise<Habit> {
  const [habit] = (await Array.fromAsync(listHabits(db, user, time))).flat()
  if (!habit) throw new Error('The habit is not listed')
  return habit
}

/** With nothing summed up. */
async function numbersOfAllDays(db: Database, user: string) {
  const row = await db.read
    .selectFrom('habits')
    .selectAll()
    .where('user_id', '=', user)
    .executeTakeFirstOrThrow()
  const read = await db.snapshot((tx) => readDaysOf(tx, row, { from: '0001-01-01' as Day }, time))
  const { streaks, completionRate } = numbersOf(trackOf(read.days), today)
  return { current: streaks.current, longest: streaks.longest, rate: completionRate }
}

function numbersShown({ current_streak, longest_streak, completion_rate }: Habit) {
  return { current: current_streak, longest: longest_streak, rate: completion_rate }
}
