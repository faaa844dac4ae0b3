import { expect, it } from 'vitest'
import { focusBySubject, focusedOnTodo } from '#features/focus/subjects/server/focus-subject-store.ts'
import { undoHabits } from '#features/habits/account-file/server/undone-import-store.ts'
import { listCompletions } from '#features/habits/days/server/day-list-store.ts'
import { withFirstEntry } from '#features/habits/past/server/first-entry-store.ts'
import {
  readFirstFocused,
  readFirstFocusedSinceStart,
} from '#features/habits/past/server/focused-session-store.ts'
import type { UserTime } from '#features/habits/past/server/habit-days-store.ts'
import { completedHabits } from '#features/habits/past/server/habits-due-store.ts'
import type { RhythmRow, Target } from '#features/habits/rhythm/rhythm.ts'
import { listImports } from '#features/imports/writing/server/import-store.ts'
import { todoImporter } from '#features/todos/server/exported-todo-store.ts'
import { todoRows } from '#features/todos/todo/server/todo-rows.ts'
import { recomputeTodoAlarms } from '#platform/alarms/alarm-store.ts'
import { addDays, type Day, dayOf } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { countingInto, type Work } from '#platform/database/pacing/work.ts'
import type { Tables } from '#platform/database/tables.ts'
import { addUser } from '#platform/database/testing/add-user.ts'
import { describeEachEngine } from '#platform/database/testing/engines.ts'

// SQLite runs a statement without a pause: whatever it reads or writes, everybody waits for.

const today = '2026-11-20' as Day
const now = Date.parse('2026-11-20T12:00:00.000Z')
const time: UserTime = {
  today,
  weekStart: 1,
  now,
  dayAt: (at) => dayOf(at, 'UTC', 0),
  zoneIn: async () => 'UTC',
}
const year = { from: addDays(today, -365), to: today }

/** What `run` costs: altogether, and its dearest statement; and how often it let others go first. */
async function costOf(
  run: () => Promise<unknown>,
): Promise<{ all: number; dearest: number; pauses: number }> {
  const cost = { all: 0, dearest: 0, pauses: 0 }
  const work: Work = {
    cpu: 0,
    get units() {
      return cost.all
    },
    set units(units) {
      cost.dearest = Math.max(cost.dearest, units - cost.all)
      cost.all = units
    },
    async betweenStretches() {
      cost.pauses += 1
    },
  }
  await countingInto(work, run)
  return cost
}

const many = <Row>(count: number, row: (place: number) => Row): Row[] =>
  Array.from({ length: count }, (_, place) => row(place))

const numbered = (place: number) => `of ${String(place).padStart(6, '0')}`

describeEachEngine('a statement that is bounded, however much an account has', (openEmpty) => {
  async function opened() {
    const db = await openEmpty()
    await addUser(db.auth, db.engine, 'ada')
    return db
  }

  async function add(db: Database, table: keyof Tables, rows: readonly object[]): Promise<void> {
    await db.write(async (tx) => {
      for (const batch of inBatches(rows)) {
        await tx
          .insertInto(table)
          .values(batch.map((row) => ({ user_id: 'ada', ...row })))
          .execute()
      }
    })
  }

  async function addHabits(
    db: Database,
    count: number,
    target: Target = 'yes',
    start_day = '2000-01-01' as Day,
  ): Promise<void> {
    await add(
      db,
      'habits',
      many(count, (place) => ({
        id: numbered(place),
        name: 'Read',
        name_at: 0,
        description: '',
        description_at: 0,
        start_day,
        position_at: 0,
        reminder_changed_at: 0,
        archive_changed_at: 0,
        created_at: 0,
        updated_at: 0,
        deletion_changed_at: 0,
      })),
    )
    await add(
      db,
      'rhythms',
      many(count, (place) => ({
        habit_id: numbered(place),
        from_day: start_day,
        rhythm: '{"every":1}',
        rhythm_at: 0,
        target: JSON.stringify(target),
        target_at: 0,
      })),
    )
  }

  async function addSessions(db: Database, rows: readonly { todo?: string; habit?: string; day: Day }[]) {
    await add(
      db,
      'focus_sessions',
      rows.map(({ todo = null, habit = null, day }, place) => ({
        id: numbered(place),
        kind: 'countdown',
        todo_id: todo,
        habit_id: habit,
        subject_at: 0,
        duration: 60,
        started_at: 0,
        ended_at: 60_000,
        ended_on: day,
        time_at: 0,
        knows_phases: 1,
        created_at: 0,
        updated_at: 0,
        deletion_changed_at: 0,
      })),
    )
    await add(
      db,
      'focus_days',
      rows.map(({ day }, place) => ({ session_id: numbered(place), day, seconds: 60 })),
    )
  }

  const ofImport = { import_id: 'import', imported_at: 1 }
  const glasses: Target = { at: 'least', amount: 1_000, unit: 'glasses', per: 'day' }

  const entry = (place: number) => ({
    id: numbered(place),
    habit_id: numbered(0),
    day: addDays(today, -Math.floor(place / 400)),
    value: 1_000,
    is_set: 0,
    settles: null,
    created_at: 0,
    updated_at: 1,
    deletion_changed_at: 0,
  })

  it.each([
    ['made', null],
    ['changed', 'skipped'],
  ] as const)('takes back the days that an import %s, however many', async (_, before_import) => {
    const db = await opened()
    await addHabits(db, 1)
    const tick = { habit_id: numbered(0), done: 1, changed_at: 1, before_import, ...ofImport }
    await add(
      db,
      'completions',
      many(3_000, (place) => ({ ...tick, day: addDays(today, -place) })),
    )
    const cost = await costOf(() => undoHabits(db, 'ada', 'import', now))
    expect(cost.dearest).toBeLessThan(1_500)
    const left = await db.read.selectFrom('completions').select(['done', 'skipped', 'import_id']).execute()
    const asBefore = { done: 0, skipped: 1, import_id: null }
    expect(left).toEqual(before_import === null ? [] : many(3_000, () => asBefore))
  })

  it('takes back the entries that an import brought, however many', async () => {
    const db = await opened()
    await addHabits(db, 1, glasses)
    await add(
      db,
      'amounts',
      many(3_000, (place) => ({ ...entry(place), ...(place % 3 !== 0 && ofImport) })),
    )
    const cost = await costOf(() => undoHabits(db, 'ada', 'import', now))
    expect(cost.dearest).toBeLessThan(1_500)
    const live = db.read.selectFrom('amounts').select('import_id').where('deleted_at', 'is', null)
    expect(await live.execute()).toEqual(many(1_000, () => ({ import_id: null })))
  })

  it('takes back the occurrences that an import brought, however many', async () => {
    const db = await opened()
    await add(db, 'todos', [todoRows.newRow('ada', 'todo', { title: 'Water' }, 0)])
    const settled = { todo_id: 'todo', state: 'done', done_on: today, moved_to: null, moved_at: 0 }
    await add(
      db,
      'todo_days',
      many(5_000, (place) => ({ ...settled, ...ofImport, changed_at: 1, day: addDays(today, -place) })),
    )
    const cost = await costOf(() => todoImporter.undo(db, 'ada', 'import', now))
    expect(cost.dearest).toBeLessThan(3_000)
    expect(await db.read.selectFrom('todo_days').select('day').execute()).toEqual([])
  })

  it('lists the days on which an amount was reached, however many entries there are', async () => {
    const db = await opened()
    await addHabits(db, 1, glasses)
    await add(db, 'amounts', many(4_800, entry))
    let days: Day[] | undefined
    const cost = await costOf(async () => {
      days = await listCompletions(db, 'ada', numbered(0), { from: '1900-01-01' as Day, to: today }, time)
    })
    expect(days).toEqual(many(12, (place) => addDays(today, place - 11)))
    expect(cost.dearest).toBeLessThan(2_500)
  })

  it('moves the alarms of to-dos to another zone, however many', async () => {
    const db = await opened()
    const alarm = { kind: 'todo', due_at: now + 1, day: today }
    await add(
      db,
      'alarms',
      many(3_000, (place) => ({ ...alarm, row_id: numbered(place) })),
    )
    const cost = await costOf(() => db.write((tx) => recomputeTodoAlarms(tx, 'ada', now)))
    expect(cost.dearest).toBeLessThan(1_500)
    const later = db.read.selectFrom('alarms').select('row_id').where('due_at', '>', now)
    expect(await later.execute()).toEqual([])
  })

  it('lists imports, however many', async () => {
    const db = await opened()
    const made = {
      source: 'todoist',
      added: '{}',
      counts: null,
      preferences: null,
      undone_at: null,
      kept: null,
    }
    // Several were made in one millisecond.
    await add(
      db,
      'imports',
      many(350, (place) => ({ ...made, id: numbered(place), made_at: Math.floor(place / 7) })),
    )
    const ids: string[] = []
    const cost = await costOf(async () => {
      for await (const page of listImports(db, 'ada')) ids.push(...page.map(({ id }) => id))
    })
    expect(ids).toEqual(many(350, (place) => numbered(349 - place)))
    expect(cost.dearest).toBeLessThan(150)
  })

  it('reads the pauses once for all the stretches of ten years', async () => {
    const db = await opened()
    await addHabits(db, 100)
    const ends = { from_day_at: 0, to_day_at: 0, created_at: 0, updated_at: 0, deletion_changed_at: 0 }
    await add(
      db,
      'pauses',
      many(2_000, (place) => ({
        id: numbered(place),
        habit_id: place % 2 ? null : numbered(place % 100),
        ...ends,
        from_day: addDays(today, -place),
        to_day: addDays(today, -place),
      })),
    )
    const range = { from: addDays(today, -3_650), to: today }
    const cost = await costOf(() => completedHabits(db, 'ada', range, time))
    expect(cost.all).toBeLessThan(10 * 2_000)
  })

  it('finds the first day focused on a habit in a few statements, however often its target changed', async () => {
    const db = await opened()
    await addHabits(db, 1)
    const first = addDays(today, -2_000)
    const rows = many(
      2_000,
      (place): RhythmRow => ({
        from_day: addDays(first, place),
        rhythm: { every: 1 },
        target: place % 2 ? 'yes' : { ...glasses, unit: 'minutes' },
      }),
    )
    // On all days but the last, something else was its target.
    await addSessions(
      db,
      [...many(20, (place) => 2 * place + 1), 1_000].map((place) => ({
        habit: numbered(0),
        day: addDays(first, place),
      })),
    )
    let found: Day | undefined
    const cost = await costOf(() =>
      db.snapshot(async (tx) => {
        const habit = { id: numbered(0), rows, startDay: first }
        found = (await readFirstFocusedSinceStart(tx, 'ada', [habit])).get(habit.id)
      }),
    )
    expect(found).toBe(addDays(first, 1_000))
    expect(cost.all).toBeLessThan(100)
  })

  it('finds it among thousands of sessions, page by page', async () => {
    const db = await opened()
    await addHabits(db, 2)
    await addSessions(
      db,
      many(4_500, (place) => ({ habit: numbered(place % 2), day: addDays(today, place % 2 ? -place : -2) })),
    )
    const rows: RhythmRow[] = [
      { from_day: year.from, rhythm: { every: 1 }, target: { ...glasses, unit: 'minutes' } },
    ]
    let found: Map<string, Day> | undefined
    const cost = await costOf(() =>
      db.snapshot(async (tx) => {
        const startDay = addDays(today, -9_000)
        const habits = [0, 1].map((place) => ({ id: numbered(place), rows, startDay }))
        found = await readFirstFocusedSinceStart(tx, 'ada', habits)
      }),
    )
    expect([...(found?.values() ?? [])]).toEqual([addDays(today, -2), addDays(today, -4_499)])
    expect(cost.dearest).toBeLessThan(2_500)
  })

  it('reads only the sessions of a habit to find the first that moves its start, however many sets name them', async () => {
    const db = await opened()
    const [habits, days] = [12, 150]
    await addHabits(db, habits, { ...glasses, unit: 'minutes' }, today)
    const session = (place: number) => ({
      habit: numbered(place % habits),
      day: addDays(today, -1 - Math.floor(place / habits)),
    })
    await addSessions(db, many(habits * days, session))
    const set = { value: 0, is_set: 1, created_at: 1, updated_at: 1, deletion_changed_at: 0 }
    await add(
      db,
      'amounts',
      many(habits * days, (place) => ({
        ...set,
        id: numbered(place),
        habit_id: session(place).habit,
        day: session(place).day,
        settles: JSON.stringify([numbered(place)]),
      })),
    )
    const rows: RhythmRow[] = [
      { from_day: year.from, rhythm: { every: 1 }, target: { ...glasses, unit: 'minutes' } },
    ]
    let found: Map<string, Day> | undefined
    const cost = await costOf(() =>
      db.snapshot(async (tx) => {
        found = await readFirstFocused(
          tx,
          'ada',
          new Map(many(habits, (place) => [numbered(place), rows] as const)),
        )
      }),
    )
    expect(found).toEqual(new Map())
    expect(cost.all).toBeLessThan(8 * habits * days)
    expect(cost.dearest).toBeLessThan(2_500)
  })

  it('finds the first entry since a start was chosen without reading all that is older', async () => {
    const db = await opened()
    await addHabits(db, 1, glasses, today)
    const old = { habit_id: numbered(0), changed_at: 1, done: 1 }
    await add(
      db,
      'completions',
      many(3_000, (place) => ({ ...old, day: addDays(today, -1 - place) })),
    )
    await add(
      db,
      'amounts',
      many(12_000, (place) => ({ ...entry(place), day: addDays(today, -1 - Math.floor(place / 100)) })),
    )
    const later = { ...entry(12_000), day: addDays(today, -60), created_at: 6 }
    let found: object | undefined
    const find = () =>
      costOf(() =>
        db.writeFor('ada', ['habits'], async (tx) => {
          const row = await tx.selectFrom('habits').selectAll().executeTakeFirstOrThrow()
          found = await withFirstEntry(tx, { ...row, start_at: 5, first_entry_day: null }, 'all')
        }),
      )
    expect((await find()).all).toBeLessThan(3_000)
    expect(found).toEqual({})
    await add(db, 'amounts', [later])
    const cost = await find()
    expect(found).toEqual({ first_entry_day: later.day })
    expect(cost.all).toBeLessThan(3_000)
    expect(cost.dearest).toBeLessThan(2_500)
  })

  it('adds up what was focused on a to-do, letting others go first', async () => {
    const db = await opened()
    await addSessions(
      db,
      many(3_500, (place) => ({ todo: 'todo', day: addDays(today, -(place % 500)) })),
    )
    let seconds = 0
    const cost = await costOf(async () => {
      seconds = await focusedOnTodo(db, 'ada', 'todo', year)
    })
    expect(seconds).toBe(366 * 7 * 60)
    expect(cost.pauses).toBeGreaterThanOrEqual(4)
  })

  it('adds up the subjects of a year a few days at a time', async () => {
    const db = await opened()
    const names = { todos: async () => new Map(), habits: async () => new Map() }
    const cost = await costOf(() => focusBySubject(db, 'ada', year, names))
    expect(cost.pauses).toBeGreaterThan(50)
  })
})
