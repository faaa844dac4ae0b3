import { DatabaseSync } from 'node:sqlite'
import { expect, it, vi } from 'vitest'
import { completedFocus, listFocusSessions } from '#features/focus/sessions/server/focus-store.ts'
import { completionLimit } from '#features/habits/habit/server/habit-rows.ts'
import { setHabitAlarms } from '#features/habits/reminder/server/habit-reminder-store.ts'
import { completedTodos } from '#features/todos/completed/server/completed-todo-store.ts'
import { completedTotals } from '#features/todos/server/todo-list-store.ts'
import { todoRows } from '#features/todos/todo/server/todo-rows.ts'
import { addDays, type Day, type Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { countingInto, type Work } from '#platform/database/pacing/work.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'
import { newPath } from '#platform/database/testing/sqlite-file.ts'
import { openApplication } from '../testing/application.ts'

// What is cheap by itself is not counted. This covers whatever has to walk over many rows, or would without an index that
// leaves them out.

const first = '2020-01-01' as Day
const range = { from: first, to: '2026-11-20' as Day }
const many = 1_000

async function unitsOf(run: () => Promise<unknown>): Promise<number> {
  const work: Work = { units: 0, cpu: 0 }
  await countingInto(work, run)
  return work.units
}

async function addHabitOf(db: Database, user: string): Promise<void> {
  await db.write((tx) =>
    tx
      .insertInto('habits')
      .values({
        user_id: user,
        id: 'habit',
        name: 'Read',
        name_at: 0,
        description: '',
        description_at: 0,
        start_day: first,
        start_at: 0,
        position_at: 0,
        reminder_changed_at: 0,
        archive_changed_at: 0,
        created_at: 0,
        updated_at: 0,
        deletion_changed_at: 0,
      })
      .execute(),
  )
}

async function addCompletions(db: Database, user: string, done: 0 | 1): Promise<void> {
  const rows = Array.from({ length: many }, (_, place) => ({
    user_id: user,
    habit_id: 'habit',
    day: addDays(first, place),
    done,
    changed_at: 0,
  }))
  await db.write(async (tx) => {
    for (const batch of inBatches(rows)) await tx.insertInto('completions').values(batch).execute()
  })
}

async function addDeletedAmounts(db: Database, user: string): Promise<void> {
  const rows = Array.from({ length: many }, (_, place) => ({
    user_id: user,
    id: `amount ${place}`,
    habit_id: 'habit',
    day: first,
    value: 1_000,
    is_set: 0 as const,
    created_at: 0,
    updated_at: 1,
    deleted_at: 1,
    deletion_changed_at: 1,
  }))
  await db.write(async (tx) => {
    for (const batch of inBatches(rows)) await tx.insertInto('amounts').values(batch).execute()
  })
}

async function addTodos(db: Database, user: string, deletedAt: Instant | null): Promise<void> {
  const rows = Array.from({ length: many }, (_, place) => ({
    ...todoRows.newRow(user, `todo ${place}`, { title: 'x', completed: 1, completed_on: first }, 0),
    completed_at: 1,
    updated_at: 1,
    deleted_at: deletedAt,
  }))
  await db.write(async (tx) => {
    for (const batch of inBatches(rows)) await tx.insertInto('todos').values(batch).execute()
  })
}

const byTimer = { kind: 'countdown', knows_phases: 1, subject_at: 0, time_at: 0 } as const

async function addFocus(db: Database, user: string, deletedAt: Instant | null): Promise<void> {
  const ids = Array.from({ length: many }, (_, place) => `session ${place}`)
  await db.write(async (tx) => {
    for (const batch of inBatches(ids)) {
      const session = { user_id: user, duration: 60, started_at: 0, ended_at: 60_000, ended_on: first }
      const stamps = { created_at: 0, updated_at: 0, deleted_at: deletedAt, deletion_changed_at: 0 }
      const rows = batch.map((id) => ({ ...session, ...byTimer, ...stamps, id }))
      await tx.insertInto('focus_sessions').values(rows).execute()
      const days = batch.map((id) => ({ user_id: user, session_id: id, day: first, seconds: 60 }))
      await tx.insertInto('focus_days').values(days).execute()
    }
  })
}

describeEachEngine('the cost of walking over many rows', (openEmpty) => {
  async function opened(limits = {}) {
    const db = await openEmpty(limits)
    await addUser(db.auth, db.engine, 'ada')
    return db
  }

  it('is counted when completed to-dos and focus are added up by day', async () => {
    const db = await opened()
    await addTodos(db, 'ada', null)
    await addFocus(db, 'ada', null)
    // All are walked over for the count, and again on the way to the fifty that are listed.
    expect(await unitsOf(() => completedTodos(db, 'ada', range))).toBeGreaterThan(2 * (many / 20))
    expect(await unitsOf(() => completedTodos(db, 'ada', 'all'))).toBeGreaterThan(2 * (many / 20))
    for (const chosen of [{ search: 'y' }, { list_id: 'home' }]) {
      expect(await unitsOf(() => completedTodos(db, 'ada', 'all', chosen))).toBeGreaterThan(2 * (many / 20))
    }
    expect(await unitsOf(() => completedTotals(db, 'ada'))).toBeGreaterThan(many / 20)
    // Sessions, and their days.
    expect(await unitsOf(() => completedFocus(db, 'ada', range))).toBeGreaterThan(2 * (many / 20))
  })

  it('is counted when days of deleted focus sessions are skipped, and no read skips more than others', async () => {
    const db = await opened()
    await addFocus(db, 'ada', 1)
    const listed: unknown[] = []
    const units = await unitsOf(async () => {
      for await (const sessions of listFocusSessions(db, 'ada', range)) listed.push(...sessions)
    })
    expect(listed).toEqual([])
    expect(units).toBeGreaterThan(many)
  })

  it('and the totals stay right, whether few focus sessions were deleted or many', async () => {
    const db = await opened()
    await addFocus(db, 'ada', null)
    for (const deleted of [10, 1_000]) {
      await db.write((tx) =>
        tx
          .updateTable('focus_sessions')
          .set({ deleted_at: 1 })
          .where(
            'id',
            'in',
            Array.from({ length: deleted }, (_, place) => `session ${place}`),
          )
          .execute(),
      )
      const left = many - deleted
      expect(await completedFocus(db, 'ada', range)).toMatchObject({ count: left, seconds: 60 * left })
    }
    const more = { user_id: 'ada', duration: 60, started_at: 0, ended_at: 60_000, ended_on: first }
    const stamps = { created_at: 0, updated_at: 0, deletion_changed_at: 0 }
    for (const [id, deleted_at] of [
      ['deleted', 1],
      ['there', null],
    ] as const) {
      await db.write(async (tx) => {
        await tx
          .insertInto('focus_sessions')
          .values({ ...more, ...byTimer, ...stamps, id, deleted_at })
          .execute()
        await tx
          .insertInto('focus_days')
          .values({ user_id: 'ada', session_id: id, day: first, seconds: 60 })
          .execute()
      })
    }
    expect(await completedFocus(db, 'ada', range)).toMatchObject({ count: 1, seconds: 60 })
  })

  it('is not paid for all habits to set the alarm of one that arrived', async () => {
    const db = await opened()
    const habits = Array.from({ length: 100 }, (_, place) => ({
      user_id: 'ada',
      id: `habit ${place}`,
      name: 'Read',
      name_at: 0,
      description: '',
      description_at: 0,
      start_day: first,
      start_at: 0,
      position_at: 0,
      reminder_changed_at: 0,
      archive_changed_at: 0,
      reminder_time: 480,
      reminder_weekdays: '1234567',
      created_at: 0,
      updated_at: 0,
      deletion_changed_at: 0,
    }))
    await db.write((tx) => tx.insertInto('habits').values(habits).execute())
    const named = new Set(['habit 7'])
    const set = () => db.write((tx) => setHabitAlarms(tx, 'ada', 'Europe/Berlin', 0, named))
    expect(await unitsOf(set)).toBeLessThan(habits.length)
    const alarms = await db.read.selectFrom('alarms').select('row_id').execute()
    expect(alarms).toEqual([{ row_id: 'habit 7' }])
  })

  it('is paid once if an account is full and deleting makes no room, whatever it writes meanwhile', async () => {
    const db = await opened({ completions: many })
    await addHabitOf(db, 'ada')
    await addCompletions(db, 'ada', 1)
    const refused = () =>
      unitsOf(() =>
        expect(db.write((tx) => db.rowCounts.add(tx, 'ada', completionLimit, 1))).rejects.toThrow(
          'An account can have',
        ),
      )
    await addOne()
    expect(await refused()).toBeGreaterThan(many / 20)
    await db.writeFor('ada', [], async () => {})
    expect(await refused()).toBeLessThan(many / 20)

    async function addOne() {
      const row = { user_id: 'ada', habit_id: 'habit', done: 1 as const, changed_at: 0 }
      await db.write((tx) =>
        tx
          .insertInto('completions')
          .values({ ...row, day: range.to })
          .execute(),
      )
    }
  })
})

it('what was deleted or undone is in none of the indexes that other reads walk along', async () => {
  const path = newPath()
  const db = await openDatabase(`sqlite:${path}`)
  await addUser(db.auth, 'sqlite', 'ada')
  await addTodos(db, 'ada', 1)
  await addHabitOf(db, 'ada')
  await addCompletions(db, 'ada', 0)
  await addDeletedAmounts(db, 'ada')
  await addFocus(db, 'ada', 1)
  await db.close()
  const reading = new DatabaseSync(path, { readOnly: true })
  const entries = reading.prepare('select sum(ncell) as entries from dbstat where name = ?')
  for (const index of [
    'todos_newest',
    'todos_open',
    'todos_completed_in_list',
    'todos_by_completion',
    'todos_by_completion_day',
    'completions_of_day',
    'completions_of_habit',
    'completions_skipped',
    'amounts_of_day',
    'focus_sessions_by_last_day',
  ]) {
    expect({ index, ...entries.get(index) }).toEqual({ index, entries: 0 })
  }
  reading.close()
})

it('completing a day long ago walks only the completed and skipped days, and purging follows an index', async () => {
  const path = newPath()
  const database = await openDatabase(`sqlite:${path}`)
  const daymark = openApplication(database)
  const { cookie } = await daymark.signUp('Ada')
  const body = { name: 'Read', start_date: '1900-01-01' }
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
  const added = await daymark.ask('POST', '/api/habits', { cookie, body })
  const complete = `/api/habits/${added.body.habit.id}/complete`
  const day = { date: '1950-01-01', completed: true }
  expect((await daymark.ask('POST', complete, { cookie, body: day })).status).toBe(200)
  const asked = prepare.mock.calls.map(([statement]) => statement)
  prepare.mockRestore()
  await database.close()

  const reading = new DatabaseSync(path, { readOnly: true })
  const planOf = (statement: string) =>
    reading
      .prepare(`explain query plan ${statement}`)
      .all()
      .map(({ detail }) => detail)
  const along = asked
    .filter((each) => /^select ("habit_id", )?"day" from "completions"/.test(each))
    .flatMap(planOf)
  const index = 'SEARCH completions USING COVERING INDEX completions_of_habit'
  const skipped = 'SEARCH completions USING COVERING INDEX completions_skipped'
  expect(new Set(along)).toEqual(
    new Set([
      `${index} (user_id=? AND habit_id=? AND day>?)`,
      `${index} (user_id=? AND habit_id=? AND day>? AND day<?)`,
      `${skipped} (user_id=? AND day>?)`,
      `${skipped} (user_id=? AND day>? AND day<?)`,
    ]),
  )
  for (const table of ['todos', 'habits', 'amounts', 'pauses', 'focus_sessions']) {
    expect(
      planOf(`select user_id, id from ${table} where deleted_at < 1 order by deleted_at, user_id, id`),
    ).toEqual([`SEARCH ${table} USING COVERING INDEX ${table}_by_deletion (deleted_at<?)`])
  }
  reading.close()
})
