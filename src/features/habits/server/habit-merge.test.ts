import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, type Day, dayOf } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { runs } from '../../../../testing/runs.ts'
import { completeDay, undoCompletions } from './completion-store.ts'
import type { UserTime } from './habit-row-store.ts'
import { addHabit, changeHabit, deleteHabit, restoreHabit } from './habit-store.ts'

// Writes from several devices reach the server in any order. fast-check prints the seed of a failed run.

const friday = '2026-11-20' as Day
const time: UserTime = {
  today: friday,
  weekStart: 1,
  dayAt: (instant) => dayOf(instant, 'Europe/Copenhagen', 0),
  now: Date.parse('2026-11-20T12:00:00Z'),
  zoneIn: async () => 'Europe/Copenhagen',
}
const created = { name: 'Read', description: '', frequency: 'weekly', start_date: friday, at: 0 } as const

const at = fc.integer({ min: 1, max: 40 })
const back = fc.integer({ min: 0, max: 9 })
const write = fc.oneof(
  fc.record({ does: fc.constant('rename' as const), name: fc.constantFrom('Run', 'Swim'), at }),
  fc.record({ does: fc.constant('complete' as const), back, completed: fc.boolean(), at }),
  fc.record({ does: fc.constant('take back' as const), back, at }),
  fc.record({ does: fc.constantFrom('delete' as const, 'restore' as const), at }),
)
type Write = typeof write extends fc.Arbitrary<infer Made> ? Made : never

describeEachEngine('Writes to a habit, in any order', (openEmpty, engine) => {
  test('devices end with the same habit, completions included, in whichever order their changes arrive', async () => {
    const db = await openEmpty()
    await addUser(db.auth, engine, 'ada')
    let habits = 0
    const habitAfter = async (writes: readonly Write[]) => {
      const id = `${habits++}`
      await addHabit(db, 'ada', id, created, time)
      for (const each of writes) await send(db, id, each)
      const habit = await stored(db, id)
      // Nobody may have more than 1,000, and the deep form makes thousands.
      await db.write((tx) =>
        tx.deleteFrom('habits').where('user_id', '=', 'ada').where('id', '=', id).execute(),
      )
      return habit
    }
    const orders = fc
      .uniqueArray(write, { maxLength: 8, selector: (each) => each.at })
      .chain((writes) =>
        fc.tuple(fc.constant(writes), fc.shuffledSubarray(writes, { minLength: writes.length })),
      )
    await fc.assert(
      fc.asyncProperty(orders, async ([oneOrder, anotherOrder]) => {
        const lastly = oneOrder.toSorted((a, b) => a.at - b.at).at(-1)
        const habit = await habitAfter(oneOrder)
        expect(habit.deleted).toBe(lastly?.does === 'delete')
        expect(await habitAfter(anotherOrder)).toEqual(habit)
      }),
      { numRuns: runs(2_000, 40) },
    )
  })

  test('a deletion and later completions, all sent at once, wait for each other and never deadlock', async () => {
    const db = await openEmpty()
    await addUser(db.auth, engine, 'ada')
    // As everywhere: a write that sets a habit's reminder again locks the zone, which exists because it was once changed.
    const changedAt = {
      time_zone_at: 1,
      day_start_at: 1,
      week_start_at: 1,
      theme_at: 1,
      todos_sort_at: 1,
      start_page_at: 1,
    }
    const looks = { theme: 'system', todos_sort: 'newest', start_page: 'todos' } as const
    const chosen = { time_zone_follows_browser: 0, day_start: 0, week_start: 1, ...looks } as const
    const zone = { user_id: 'ada', time_zone: 'Europe/Copenhagen', ...chosen, ...changedAt }
    await db.write((tx) => tx.insertInto('preferences').values(zone).execute())
    const held: UserTime = {
      ...time,
      async zoneIn(tx) {
        const locked = tx
          .selectFrom('preferences')
          .select('time_zone')
          .where('user_id', '=', 'ada')
          .forUpdate()
        return (await locked.executeTakeFirstOrThrow()).time_zone
      },
    }
    for (let round = 0; round < runs(200, 20); round++) {
      const id = `${round}`
      await addHabit(db, 'ada', id, created, held)
      // Slightly staggered, so that some find the habit and some find it deleted.
      const completion = async (back: number) => {
        await new Promise((resolve) => setTimeout(resolve, back / 2))
        const day = addDays(friday, -back)
        return completeDay(db, 'ada', id, { day, completed: true, at: 3 + back, revives: true }, held)
      }
      const backs = [0, 1, 2, 3, 4, 5, 6, 7]
      await Promise.all([deleteHabit(db, 'ada', id, 2), ...backs.map(completion)])
      const days = backs.map((back) => addDays(friday, -back)).toReversed()
      expect(await stored(db, id)).toMatchObject({ deleted: false, days })
    }
  })
})

function send(db: Database, id: string, each: Write): Promise<unknown> {
  const made = { at: each.at, revives: true }
  switch (each.does) {
    case 'rename':
      return changeHabit(db, 'ada', id, { name: each.name, ...made }, time)
    case 'complete': {
      const day = addDays(friday, -each.back)
      return completeDay(db, 'ada', id, { day, completed: each.completed, ...made }, time)
    }
    case 'take back': {
      const from = addDays(friday, -each.back)
      return undoCompletions(db, 'ada', id, { from, to: addDays(from, 6) }, made, time)
    }
    case 'delete':
      return deleteHabit(db, 'ada', id, each.at)
    case 'restore':
      return restoreHabit(db, 'ada', id, each.at, time)
  }
}

async function stored(db: Database, id: string) {
  const habit = await db.read
    .selectFrom('habits')
    .select(['name', 'start_day', 'deleted_at'])
    .where('user_id', '=', 'ada')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const completions = await db.read
    .selectFrom('completions')
    .select('day')
    .where('user_id', '=', 'ada')
    .where('habit_id', '=', id)
    .where('done', '=', 1)
    .orderBy('day')
    .execute()
  return {
    name: habit.name,
    start_date: habit.start_day,
    deleted: habit.deleted_at !== null,
    days: completions.map(({ day }) => day),
  }
}
