import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addHabit,
  changeHabit,
  deleteHabit,
  restoreHabit,
} from '#features/habits/habit/server/habit-store.ts'
import { readDaysOf, type UserTime } from '#features/habits/past/server/habit-days-store.ts'
import { pauseStore } from '#features/habits/pauses/server/pauses.ts'
import type { Frequency, Rhythm, Target } from '#features/habits/rhythm/rhythm.ts'
import { addDays, type Day, dayOf } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { runs } from '../../../../../testing/runs.ts'
import { addAmount, removeAmount, restoreAmount } from './amount-store.ts'
import { changeDay, completeDay, undoCompletions } from './completion-store.ts'

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
const nth = fc.nat({ max: 2 })
const rhythm = fc.constantFrom<Rhythm[]>(
  { every: 1 },
  { times: 1, per: 'week' },
  { times: 3, per: 'week' },
  { weekdays: [1, 5] },
  { every: 3 },
)
const frequency = fc.constantFrom<Frequency[]>('daily', 'weekly')
const target = fc.constantFrom<Target[]>('yes', { at: 'least', amount: 20, unit: 'km', per: 'week' })
const note = fc.constantFrom('', 'Rain', 'Sun')

const write = fc.oneof(
  fc.record({ does: fc.constant('rename' as const), name: fc.constantFrom('Run', 'Swim'), at }),
  fc.record({ does: fc.constant('move' as const), position: fc.constantFrom('a0', 'a1', 'a2'), at }),
  fc.record({ does: fc.constant('archive' as const), archived: fc.boolean(), at }),
  fc.record({ does: fc.constant('complete' as const), back, completed: fc.boolean(), at }),
  fc.record({ does: fc.constant('skip' as const), back, at }),
  fc.record({ does: fc.constant('note' as const), back, note, at }),
  fc.record({ does: fc.constant('take back' as const), back, at }),
  fc.record({ does: fc.constant('rhythm' as const), back, rhythm, at }),
  fc.record({ does: fc.constant('frequency' as const), back, frequency, at }),
  fc.record({ does: fc.constant('start' as const), back, at }),
  fc.record({ does: fc.constant('add' as const), back, value: fc.integer({ min: 1, max: 9 }), at }),
  fc.record({ does: fc.constant('set' as const), back, value: fc.nat(9), settles: fc.array(at), at }),
  fc.record({ does: fc.constant('delete an entry' as const), nth, at }),
  fc.record({ does: fc.constant('restore an entry' as const), nth, at }),
  fc.record({ does: fc.constant('move a pause' as const), nth, back, first: fc.boolean(), at }),
  fc.record({ does: fc.constant('delete a pause' as const), nth, at }),
  fc.record({ does: fc.constant('restore a pause' as const), nth, at }),
  fc.record({ does: fc.constantFrom('delete' as const, 'restore' as const), at }),
)
type Write = typeof write extends fc.Arbitrary<infer Made> ? Made : never

const holding = fc.record({
  back,
  rhythm: fc.option(rhythm, { nil: undefined }),
  frequency: fc.option(frequency, { nil: undefined }),
  target: fc.option(target, { nil: undefined }),
  at,
})

describeEachEngine('Writes to a habit, in any order', (openEmpty, engine) => {
  test('devices end with the same habit, completions included, in whichever order their changes arrive', async () => {
    const db = await openEmpty()
    await addUser(db.auth, engine, 'ada')
    let habits = 0
    const habitAfter = async (writes: readonly Write[]) => {
      const id = `${habits++}`
      await addHabit(db, 'ada', id, created, time)
      // A device sends an entry or a pause before it changes it.
      for (const place of [0, 1, 2]) {
        const entry = { day: friday, value: 1 + place, set: place === 2, settles: [`${id} entry 0`], at: 0 }
        await addAmount(db, 'ada', id, `${id} entry ${place}`, entry, time)
        const [from_day, to_day] = [addDays(friday, -6), addDays(friday, place - 3)]
        await pauseStore.add(db, 'ada', `${id} pause ${place}`, { habit_id: id, from_day, to_day, at: 0 })
      }
      for (const each of writes) await send(db, id, each)
      const habit = await stored(db, id)
      await deleteForGood(db, id)
      return habit
    }
    const orders = fc
      .uniqueArray(write, { maxLength: 8, selector: (each) => each.at })
      .chain((writes) =>
        fc.tuple(fc.constant(writes), fc.shuffledSubarray(writes, { minLength: writes.length })),
      )
    await fc.assert(
      fc.asyncProperty(orders, async ([oneOrder, anotherOrder]) => {
        const ofHabit = oneOrder.filter(({ does }) => !does.endsWith('pause'))
        const lastly = ofHabit.toSorted((a, b) => a.at - b.at).at(-1)
        const habit = await habitAfter(oneOrder)
        expect(habit.deleted).toBe(lastly?.does === 'delete')
        expect(await habitAfter(anotherOrder)).toEqual(habit)
        expect(habit.start_date).toBe(startBy(oneOrder, habit))
      }),
      { numRuns: runs(2_000, 8) },
    )
  })

  test('what holds from which day on is the same in whichever order it arrives, also by a frequency', async () => {
    const db = await openEmpty()
    await addUser(db.auth, engine, 'ada')
    let habits = 0
    const rowsAfter = async (
      changes: readonly (typeof holding extends fc.Arbitrary<infer Made> ? Made : never)[],
    ) => {
      const id = `${habits++}`
      await addHabit(db, 'ada', id, created, time)
      for (const { back: ago, ...change } of changes) {
        await changeHabit(db, 'ada', id, { ...change, from_day: addDays(friday, -ago) }, time)
      }
      const { rhythms } = await stored(db, id)
      await deleteForGood(db, id)
      return rhythms
    }
    const orders = fc
      .uniqueArray(holding, { maxLength: 8, selector: (each) => each.at })
      .chain((changes) =>
        fc.tuple(fc.constant(changes), fc.shuffledSubarray(changes, { minLength: changes.length })),
      )
    await fc.assert(
      fc.asyncProperty(orders, async ([oneOrder, anotherOrder]) => {
        expect(await rowsAfter(anotherOrder)).toEqual(await rowsAfter(oneOrder))
      }),
      { numRuns: runs(2_000, 8) },
    )
  })

  test('a tick of an amount that was made before the day was skipped or taken back enters nothing when it arrives', async () => {
    const db = await openEmpty()
    await addUser(db.auth, engine, 'ada')
    for (const state of ['skipped', 'none'] as const) {
      await addHabit(
        db,
        'ada',
        state,
        { ...created, target: { at: 'least', amount: 8, unit: 'glasses', per: 'day' } },
        time,
      )
      await changeDay(db, 'ada', state, { day: friday, state, at: 3, revives: true }, time)
      await completeDay(db, 'ada', state, { day: friday, completed: true, at: 2, revives: true }, time)
      expect(await stored(db, state)).toMatchObject({ days: [], amounts: [] })
    }
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
      focus_plan_at: 1,
    }
    const looks = { theme: 'system', todos_sort: 'newest', start_page: 'todos', focus_plan: '{}' } as const
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
    for (let round = 0; round < runs(200, 5); round++) {
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

/** When the habit begins by its changes alone: `habit` says what is left of its amounts. */
function startBy(writes: readonly Write[], { amounts }: Awaited<ReturnType<typeof stored>>): Day {
  const inOrder = writes.toSorted((a, b) => a.at - b.at)
  const chosen = inOrder.findLast(({ does }) => does === 'start')
  const dayOfWrite = (each: Write) => ('back' in each ? addDays(friday, -each.back) : friday)
  const covers = (each: Write, day: Day) =>
    each.does === 'take back'
      ? dayOfWrite(each) <= day && day <= addDays(dayOfWrite(each), 6)
      : ['complete', 'skip'].includes(each.does) && dayOfWrite(each) === day
  const start = chosen ? dayOfWrite(chosen) : friday
  const since = chosen?.at ?? 0
  const entered = inOrder.filter((each) => {
    const day = dayOfWrite(each)
    if (each.does === 'complete') {
      const last = inOrder.findLast((other) => covers(other, day))
      return last === each && each.completed && each.at >= since
    }
    const isAmount = each.does === 'add' || each.does === 'set'
    return isAmount && each.at >= since && (new Map(amounts).get(day) ?? 0) > 0
  })
  return entered.map(dayOfWrite).reduce((first, day) => (day < first ? day : first), start)
}

function send(db: Database, id: string, each: Write): Promise<unknown> {
  const made = { at: each.at, revives: true }
  const day = 'back' in each ? addDays(friday, -each.back) : friday
  const entry = `${id} entry ${'nth' in each ? each.nth : each.at + 10}`
  const pause = `${id} pause ${'nth' in each ? each.nth : 0}`
  switch (each.does) {
    case 'rename':
      return changeHabit(db, 'ada', id, { name: each.name, ...made }, time)
    case 'move':
      return changeHabit(db, 'ada', id, { position: each.position, ...made }, time)
    case 'archive': {
      const archived_at = each.archived ? '2026-11-20T08:00:00.000Z' : null
      return changeHabit(db, 'ada', id, { archived_at, ...made }, time)
    }
    case 'start':
      return changeHabit(db, 'ada', id, { start_date: day, ...made }, time)
    case 'complete':
      return completeDay(db, 'ada', id, { day, completed: each.completed, ...made }, time)
    case 'skip':
      return changeDay(db, 'ada', id, { day, state: 'skipped', ...made }, time)
    case 'note':
      return changeDay(db, 'ada', id, { day, note: each.note, ...made }, time)
    case 'take back':
      return undoCompletions(db, 'ada', id, { from: day, to: addDays(day, 6) }, made, time)
    case 'rhythm':
      return changeHabit(db, 'ada', id, { rhythm: each.rhythm, from_day: day, ...made }, time)
    case 'frequency':
      return changeHabit(db, 'ada', id, { frequency: each.frequency, from_day: day, ...made }, time)
    case 'add':
      return addAmount(db, 'ada', id, entry, { day, value: each.value, set: false, ...made }, time)
    case 'set': {
      const settles = each.settles.map((place) => `${id} entry ${place + 10}`)
      return addAmount(db, 'ada', id, entry, { day, value: each.value, set: true, settles, ...made }, time)
    }
    case 'delete an entry':
      return removeAmount(db, 'ada', id, entry, made, time)
    case 'restore an entry':
      return restoreAmount(db, 'ada', id, entry, made, time)
    case 'move a pause':
      return pauseStore.change(db, 'ada', pause, { [each.first ? 'from_day' : 'to_day']: day, ...made })
    case 'delete a pause':
      return pauseStore.remove(db, 'ada', pause, each.at)
    case 'restore a pause':
      return pauseStore.restore(db, 'ada', pause, each.at)
    case 'delete':
      return deleteHabit(db, 'ada', id, each.at)
    case 'restore':
      return restoreHabit(db, 'ada', id, each.at, time)
  }
}

/** Nobody may have more than 1,000 habits, and the deep form makes thousands. */
async function deleteForGood(db: Database, id: string): Promise<void> {
  await db.write(async (tx) => {
    await tx.deleteFrom('habits').where('user_id', '=', 'ada').where('id', '=', id).execute()
    await tx.deleteFrom('pauses').where('user_id', '=', 'ada').where('habit_id', '=', id).execute()
  })
}

async function stored(db: Database, id: string) {
  return db.snapshot(async (tx) => {
    const habit = await tx
      .selectFrom('habits')
      .selectAll()
      .where('user_id', '=', 'ada')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const { days } = await readDaysOf(tx, habit, { from: '0001-01-01' as Day }, time)
    const notes = await tx
      .selectFrom('completions')
      .select(['day', 'note'])
      .where('user_id', '=', 'ada')
      .where('habit_id', '=', id)
      .where('note', '<>', '')
      .orderBy('day')
      .execute()
    return {
      name: habit.name,
      position: habit.position,
      archived: habit.archived_at,
      start_date: days.startDay,
      deleted: habit.deleted_at !== null,
      days: [...days.states]
        .filter(([, state]) => state === 'done')
        .map(([day]) => day)
        .sort(),
      skipped: [...days.states]
        .filter(([, state]) => state === 'skipped')
        .map(([day]) => day)
        .sort(),
      rhythms: days.rows,
      amounts: [...days.amounts].toSorted(),
      pauses: days.pauses.map(({ from_day, to_day }) => `${from_day} ${to_day}`).sort(),
      notes,
    }
  })
}
