import fc from 'fast-check'
import { expect, test } from 'vitest'
import { importCompletions } from '#features/habits/account-file/server/import-habit-store.ts'
import { addAmount, removeAmount, restoreAmount } from '#features/habits/days/server/amount-store.ts'
import {
  changeDay,
  completeDay,
  togglePeriod,
  undoCompletions,
} from '#features/habits/days/server/completion-store.ts'
import type { Habit } from '#features/habits/habit/habit.ts'
import { listHabits } from '#features/habits/habit/server/habit-list-store.ts'
import {
  addHabit,
  changeHabit,
  deleteHabit,
  restoreHabit,
} from '#features/habits/habit/server/habit-store.ts'
import { pauseStore } from '#features/habits/pauses/server/pauses.ts'
import { isCompletedOn, statesOf } from '#features/habits/rhythm/day-state.ts'
import { type HabitDays, trackOf } from '#features/habits/rhythm/habit-track.ts'
import { naiveHabit } from '#features/habits/testing/naive-habit.ts'
import { someRhythm, someTarget } from '#features/habits/testing/some-habit.ts'
import { addDays, type Day, dayOf, daysFrom } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import type { Database } from '#platform/database/database.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { runs } from '../../../../../testing/runs.ts'
import { numbersOf } from '../habit-summary.ts'
import { readDaysOf, type UserTime } from './habit-days-store.ts'

const friday = '2026-11-20' as Day
const dayAt = (instant: number) => dayOf(instant, 'UTC', 0)
const time: UserTime = {
  today: friday,
  weekStart: 1,
  dayAt,
  now: Date.parse('2026-11-20T12:00:00Z'),
  zoneIn: async () => 'UTC',
}

// Mostly recent days, where most boundaries are, and sometimes days from years ago.
const back = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -1, max: 130 }) },
  { weight: 2, arbitrary: fc.integer({ min: 131, max: 500 }) },
  { weight: 1, arbitrary: fc.integer({ min: 501, max: 1_500 }) },
)
const length = fc.integer({ min: 0, max: 40 })
const nth = fc.nat({ max: 9 })
const state = fc.constantFrom('done' as const, 'skipped' as const, 'none' as const)
const value = fc.integer({ min: 0, max: 30 })
const does = <Name extends string>(name: Name) => fc.constant(name)

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: does('say'), back, state }) },
  { weight: 4, arbitrary: fc.record({ does: does('say of a stretch'), back, length, state }) },
  { weight: 1, arbitrary: fc.record({ does: does('complete'), back, completed: fc.option(fc.boolean()) }) },
  { weight: 1, arbitrary: fc.record({ does: does('toggle') }) },
  { weight: 1, arbitrary: fc.record({ does: does('take back'), back, length }) },
  { weight: 1, arbitrary: fc.record({ does: does('import'), backs: fc.array(back, { maxLength: 30 }) }) },
  { weight: 3, arbitrary: fc.record({ does: does('enter'), back, length, value, set: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ does: does('remove an entry'), nth }) },
  { weight: 1, arbitrary: fc.record({ does: does('restore an entry'), nth }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: does('hold'),
      back: fc.option(back),
      rhythm: fc.option(someRhythm, { freq: 4 }),
      target: fc.option(someTarget),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: does('frequency'), to: fc.constantFrom('daily', 'weekly') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: does('pause'),
      back,
      length: fc.option(fc.integer({ min: -3, max: 60 }), { freq: 5 }),
      of: fc.constantFrom('this', 'all', 'another'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: does('move a pause'), nth, back, first: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ does: does('delete a pause'), nth }) },
  { weight: 1, arbitrary: fc.record({ does: does('restore a pause'), nth }) },
  { weight: 1, arbitrary: fc.record({ does: does('archive'), back }) },
  { weight: 1, arbitrary: fc.record({ does: does('take out of the archive') }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: does('week start'), to: fc.constantFrom<WeekStart[]>(1, 2, 3, 4, 5, 6, 7) }),
  },
  { weight: 2, arbitrary: fc.record({ does: does('days pass'), days: fc.integer({ min: 1, max: 150 }) }) },
  { weight: 1, arbitrary: fc.record({ does: does('delete and restore') }) },
)
type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never

/** One person with one habit, what was entered and paused, and what day it is. */
class Life {
  readonly #db: Database
  readonly #user: string
  now: UserTime = time
  #writes = 0
  readonly #entries: string[] = []
  readonly #pauses: string[] = []

  constructor(db: Database, user: string) {
    this.#db = db
    this.#user = user
  }

  /** Every write is later than the one before, and on the day that it is. */
  get #at(): number {
    return Date.parse(`${this.now.today}T12:00:00Z`) + this.#writes
  }

  #day(back: number): Day {
    return addDays(this.now.today, -back)
  }

  async take(what: Step): Promise<void> {
    const [db, user, now] = [this.#db, this.#user, this.now]
    this.#writes += 1
    const at = this.#at
    const entry = 'nth' in what ? (this.#entries[what.nth % this.#entries.length] ?? '') : ''
    const pause = 'nth' in what ? (this.#pauses[what.nth % this.#pauses.length] ?? '') : ''
    switch (what.does) {
      case 'say':
        return void (await changeDay(
          db,
          user,
          'h',
          { day: this.#day(what.back), state: what.state, at },
          now,
        ))
      case 'say of a stretch':
        for (let more = 0; more <= what.length; more += 1) {
          await changeDay(db, user, 'h', { day: this.#day(what.back + more), state: what.state, at }, now)
        }
        return
      case 'complete': {
        const completed = what.completed ?? undefined
        return void (await completeDay(db, user, 'h', { day: this.#day(what.back), completed, at }, now))
      }
      case 'toggle':
        return void (await togglePeriod(db, user, 'h', { at }, now))
      case 'take back': {
        const range = { from: this.#day(what.back + what.length), to: this.#day(what.back) }
        return void (await undoCompletions(db, user, 'h', range, { at }, now))
      }
      case 'import': {
        const days = what.backs.map((each) => this.#day(each))
        await db.write((tx) => importCompletions(tx, user, [{ habit_id: 'h', days }], at))
        return
      }
      case 'enter':
        for (let more = 0; more <= what.length; more += 3) {
          const id = `entry ${this.#entries.length}`
          this.#entries.push(id)
          const each = { day: this.#day(what.back + more), value: what.value + 1, set: what.set, at }
          await addAmount(db, user, 'h', id, each, now)
        }
        return
      case 'remove an entry':
        return void (await removeAmount(db, user, 'h', entry, { at }, now))
      case 'restore an entry':
        return void (await restoreAmount(db, user, 'h', entry, { at }, now))
      case 'hold': {
        const from_day = what.back === null ? undefined : this.#day(what.back)
        const change = { rhythm: what.rhythm ?? undefined, target: what.target ?? undefined, from_day, at }
        return void (await changeHabit(db, user, 'h', change, now))
      }
      case 'frequency':
        return void (await changeHabit(db, user, 'h', { frequency: what.to as 'daily' | 'weekly', at }, now))
      case 'pause': {
        const id = `pause ${this.#pauses.length}`
        this.#pauses.push(id)
        const from_day = this.#day(what.back)
        const to_day = what.length === null ? null : addDays(from_day, what.length)
        const habit_id = { this: 'h', all: null, another: 'other' }[what.of] ?? null
        return void (await pauseStore.add(db, user, id, { habit_id, from_day, to_day, at }))
      }
      case 'move a pause': {
        const day = this.#day(what.back)
        return void (await pauseStore.change(db, user, pause, {
          [what.first ? 'from_day' : 'to_day']: day,
          at,
        }))
      }
      case 'delete a pause':
        return void (await pauseStore.remove(db, user, pause, at))
      case 'restore a pause':
        return void (await pauseStore.restore(db, user, pause, at))
      case 'archive': {
        const archived_at = `${this.#day(what.back)}T08:00:00.000Z`
        return void (await changeHabit(db, user, 'h', { archived_at, at }, now))
      }
      case 'take out of the archive':
        return void (await changeHabit(db, user, 'h', { archived_at: null, at }, now))
      case 'week start':
        this.now = { ...now, weekStart: what.to }
        return
      case 'days pass':
        this.now = { ...now, today: addDays(now.today, what.days) }
        return
      case 'delete and restore':
        await deleteHabit(db, user, 'h', at)
        this.#writes += 1
        return void (await restoreHabit(db, user, 'h', this.#at, now))
    }
  }

  /** Years of which all days but every so many are done, and every fourth has an entry: more than one write sums up. */
  async liveBefore(years: number, gap: number): Promise<void> {
    const days = daysFrom(this.#day(years * 365), this.#day(300)).filter((_, place) => place % gap !== 0)
    const [first = friday] = days
    const how = { user_id: this.#user, habit_id: 'h' }
    const entries = days
      .filter((_, place) => place % 4 === 1)
      .map((day) => ({
        ...how,
        id: `of ${day}`,
        day,
        value: 20,
        is_set: 0 as const,
        created_at: 1,
        updated_at: 1,
        deletion_changed_at: 1,
      }))
    await this.#db.write(async (tx) => {
      for (const batch of inBatches(entries)) await tx.insertInto('amounts').values(batch).execute()
      await importCompletions(tx, this.#user, [{ habit_id: 'h', days }], 1)
    })
    // The sum of the empty habit is not correct any more. Whatever enters days says so.
    await changeDay(this.#db, this.#user, 'h', { day: first, state: 'done', at: this.#at }, this.now)
  }

  /** All days of the habit, with nothing summed up. */
  async allDays(): Promise<HabitDays> {
    return this.#db.snapshot(async (tx) => {
      const row = await tx
        .selectFrom('habits')
        .selectAll()
        .where('user_id', '=', this.#user)
        .where('id', '=', 'h')
        .executeTakeFirstOrThrow()
      return (await readDaysOf(tx, row, { from: '0001-01-01' as Day }, this.now)).days
    })
  }

  async pauses() {
    return this.#db.read
      .selectFrom('pauses')
      .select(['habit_id', 'from_day', 'to_day'])
      .where('user_id', '=', this.#user)
      .where('deleted_at', 'is', null)
      .execute()
  }

  async listed(): Promise<Habit> {
    const [habit] = (await Array.fromAsync(listHabits(this.#db, this.#user, this.now))).flat()
    if (!habit) throw new Error('The habit is not listed')
    return habit
  }
}

/** What a habit shows that depends on all of its days. */
function numbersShown({
  completed,
  current_streak,
  longest_streak,
  completion_rate,
  strength,
  today,
}: Habit) {
  return { completed, current_streak, longest_streak, completion_rate, strength: rounded(strength), today }
}

/** What is summed up is added in another order. */
function rounded(strength: number | null): number | null {
  return strength === null ? null : Math.round(strength * 1e7) / 1e7
}

describeEachEngine('Stored sums', (openEmpty, engine) => {
  test('are never stale: after every write the numbers are those of all days, on the server and on a device', async () => {
    const db = await openEmpty()
    let lives = 0
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 900 }),
        fc.oneof(
          { weight: 4, arbitrary: fc.constant(0) },
          { weight: 1, arbitrary: fc.integer({ min: 3, max: 30 }) },
        ),
        fc.integer({ min: 2, max: 9 }),
        someRhythm,
        someTarget,
        fc.array(step, { minLength: 1, maxLength: 14, size: 'max' }),
        async (started, years, gap, rhythm, target, steps) => {
          const user = `user ${lives++}`
          await addUser(db.auth, engine, user)
          const life = new Life(db, user)
          const start_date = addDays(friday, -started)
          const fields = { name: 'Read', description: '', start_date, rhythm, target }
          await addHabit(db, user, 'h', { ...fields, at: Date.parse('2026-11-20T11:00:00Z') }, time)
          if (years > 0) await life.liveBefore(years, gap)
          for (const each of steps) {
            await life.take(each)
            const days = await life.allDays()
            const { today, weekStart } = life.now
            const track = trackOf(days)
            const { streaks, completionRate, strength } = numbersOf(track, today)
            const habit = await life.listed()
            const [of] = statesOf(track, { from: today, to: today }, today)
            expect(numbersShown(habit)).toEqual({
              completed: isCompletedOn(track, today),
              current_streak: streaks.current,
              longest_streak: streaks.longest,
              completion_rate: completionRate,
              strength: rounded(strength),
              today: { state: of?.state, amount: of?.amount },
            })

            const pauses = (await life.pauses()).filter(({ habit_id }) => habit_id !== 'other')
            const onDevice = onDeviceOf(habit, pauses, weekStart)
            const again = numbersOf(onDevice.track, today, onDevice.earlier)
            expect(again.streaks).toEqual(streaks)
            expect(rounded(again.strength)).toBe(rounded(strength))
          }
          const days = await life.allDays()
          if (days.startDay < addDays(life.now.today, -250)) return
          const naive = naiveHabit(days, life.now.today)
          const habit = await life.listed()
          const { current, longest } = naive.streaks()
          expect([habit.current_streak, habit.longest_streak]).toEqual([current, longest])
          expect(rounded(habit.strength)).toBe(rounded(naive.strength()))
          expect(habit.completed).toBe(naive.completed())
        },
      ),
      { numRuns: runs(1_000, engine === 'sqlite' ? 6 : 3) },
    )
  })
})

/** A habit as a device knows it: what was sent, and the pauses. */
function onDeviceOf(habit: Habit, pauses: HabitDays['pauses'], weekStart: WeekStart) {
  const { first_entry, ...sum } = habit.earlier
  const track = trackOf(
    {
      rows: habit.rhythms,
      startDay: habit.start_date,
      archivedOn: habit.archived_at === null ? null : dayAt(Date.parse(habit.archived_at)),
      states: new Map([
        ...habit.since.map((day) => [day, 'done'] as const),
        ...habit.skipped.map((day) => [day, 'skipped'] as const),
      ]),
      amounts: new Map(habit.amounts.map(({ day, amount }) => [day, amount])),
      pauses,
      weekStart,
    },
    first_entry,
  )
  return { track, earlier: { ...sum, firstEntry: first_entry } }
}
