import { listRows } from '#features/lists/list/server/list-rows.ts'
import { todoRows } from '#features/todos/todo/server/todo-rows.ts'
import { tagKey } from '#features/todos/todo/tags.ts'
import { addDays, type Day, type Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import type { Tables } from '#platform/database/tables.ts'
import { fillerOf } from '#platform/database/testing/table-rows.ts'
import { rowKinds } from '../row-kinds.ts'

// Fills an account as somebody with bad intentions would: many rows of every kind, in the ways that make each kind expensive.

export const idOf = (kind: number, number: number) =>
  `019${String(kind).padStart(5, '0')}-0000-7000-8000-${String(number).padStart(12, '0')}`

/** The number that stands for each kind of row in its ids (`idOf`). */
export const kinds = {
  repeating: 1,
  subtask: 2,
  completed: 3,
  chained: 4,
  settled: 5,
  daily: 11,
  counted: 12,
  minutes: 13,
  changing: 14,
  amount: 21,
  session: 22,
  pause: 23,
  list: 24,
  other: 31,
}

/** The number of rows of each kind when `size` is 1. */
const counts = {
  repeating: 1_000,
  subtasks: 1_000,
  completed: 5_000,
  chained: 10,
  renamed: 2_000,
  lists: 500,
  others: 500,
  daily: 120,
  daysOfDaily: 200,
  longDays: 36_500,
  entries: 250,
  sessions: 6_000,
  pauses: 1_500,
  rhythms: 1_000,
}

const note = 'A long note, such as people rarely write. '.repeat(238)

type NewTodo = Parameters<typeof todoRows.newRow>[2]

/** Fills the account of a user; `size` multiplies the number of rows of each kind. */
export async function fillMaximally(
  database: Database,
  user: string,
  { today, now, size = 1 }: { today: Day; now: Instant; size?: number },
): Promise<void> {
  const many = (count: number, row: (number: number) => object) =>
    Array.from({ length: Math.ceil(count * size) }, (_, number) => row(number))
  const add = async (table: keyof Tables, rows: readonly object[]) => {
    await database.writeFor(user, [], async (tx) => {
      for (const batch of inBatches(rows)) {
        await tx
          .insertInto(table)
          .values(batch.map((row) => ({ user_id: user, ...row })))
          .execute()
      }
    })
  }
  const todo = (kind: number, number: number, fields: NewTodo) =>
    todoRows.newRow(user, idOf(kind, number), fields, now - number)

  const rules = [
    { freq: 'month', every: 1, days: [31], mode: 'due', times: 999, from: '1900-01-31' },
    { freq: 'day', every: 1, mode: 'due', from: '1900-01-01' },
    { freq: 'year', every: 1, nth: [[5, 1]], mode: 'due', from: '1900-02-01' },
  ] as const
  await add(
    'todos',
    many(counts.repeating, (number) => ({
      ...todo(kinds.repeating, number, { title: `Repeating ${number}`, note }),
      repeat: JSON.stringify(rules[number % rules.length]),
    })),
  )
  await add(
    'todos',
    many(counts.subtasks, (number) => ({
      ...todo(kinds.subtask, number, { title: `Subtask ${number}` }),
      parent_id: idOf(kinds.repeating, number % 10),
    })),
  )
  const tags = JSON.stringify(Array.from({ length: 50 }, (_, tag) => `Tag ${tag} ${'x'.repeat(40)}`))
  await add(
    'todos',
    many(counts.completed, (number) => ({
      ...todo(kinds.completed, number, { title: `Completed ${number}` }),
      completed: 1,
      completed_at: now - number,
      completed_on: addDays(today, -(number % 700)),
      tags,
    })),
  )
  await addOccurrences()
  await addLists()
  await addTagChain()
  await addHabits()
  await addOtherKinds()

  /** Adds the most occurrences: to one to-do for every day since 1900, to another as many future ones as it may have. */
  async function addOccurrences(): Promise<void> {
    const rule = { freq: 'day', every: 1, mode: 'due', from: '1900-01-01' } as const
    await add(
      'todos',
      [0, 1].map((number) => ({
        ...todo(kinds.settled, number, { title: `Settled ${number}` }),
        repeat: JSON.stringify(rule),
      })),
    )
    const settled = { state: 'done', done_on: today, changed_at: now, moved_to: null, moved_at: 0 }
    await add(
      'todo_days',
      many(20_000, (number) => ({
        todo_id: idOf(kinds.settled, 0),
        day: addDays(today, -61 - number),
        ...settled,
      })),
    )
    await add(
      'todo_days',
      many(500, (number) => ({
        todo_id: idOf(kinds.settled, 1),
        day: addDays(today, number),
        ...settled,
      })),
    )
  }

  async function addLists(): Promise<void> {
    await add(
      'lists',
      many(counts.lists, (number) =>
        listRows.newRow(
          user,
          idOf(kinds.list, number),
          { name: `List ${number}`, position: positionOf(number) },
          now,
        ),
      ),
    )
  }

  /** Adds a chain in which each tag was renamed to the next one; ten to-dos had 50 of the tags each. */
  async function addTagChain(): Promise<void> {
    const tag = (number: number) => `Chained ${number}`
    await add(
      'tag_changes',
      many(counts.renamed, (number) => ({
        tag: tagKey(tag(number)),
        renamed_to: tag(number + 1),
        changed_at: now - 1_000_000 + number,
      })),
    )
    await add(
      'todos',
      Array.from({ length: counts.chained }, (_, number) =>
        todo(kinds.chained, number, { title: `Chained ${number}` }),
      ),
    )
    await add(
      'todo_tags',
      many(counts.chained * 50, (number) => ({
        todo_id: idOf(kinds.chained, number % counts.chained),
        tag: tagKey(tag(number * 4)),
        spelling: tag(number * 4),
        is_on: 1,
        changed_at: now - 2_000_000,
      })),
    )
  }

  async function addHabits(): Promise<void> {
    const habit = (kind: number, number: number, start_day: Day) => ({
      id: idOf(kind, number),
      name: `Habit ${kind} ${number}`,
      name_at: now,
      description: 'x'.repeat(500),
      description_at: now,
      start_day,
      position_at: now,
      reminder_changed_at: now,
      archive_changed_at: now,
      created_at: now - number,
      updated_at: now,
      deletion_changed_at: now,
    })
    const rhythm = (kind: number, number: number, from_day: Day, target: unknown = 'yes', every = 1) => ({
      habit_id: idOf(kind, number),
      from_day,
      rhythm: JSON.stringify({ every }),
      rhythm_at: now,
      target: JSON.stringify(target),
      target_at: now,
    })
    const start = addDays(today, -counts.longDays)
    await add(
      'habits',
      many(counts.daily, (number) => habit(kinds.daily, number, start)),
    )
    await add(
      'rhythms',
      many(counts.daily, (number) => rhythm(kinds.daily, number, start)),
    )
    const done = (number: number, back: number) => ({
      habit_id: idOf(kinds.daily, number),
      day: addDays(today, -back),
      done: 1,
      changed_at: now,
    })
    await add(
      'completions',
      many(counts.longDays, (back) => done(0, back)),
    )
    for (let number = 1; number < counts.daily * size; number += 1) {
      await add(
        'completions',
        many(counts.daysOfDaily, (back) => done(number, back)),
      )
    }

    const water = { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' }
    await add('habits', [
      habit(kinds.counted, 0, addDays(today, -90)),
      habit(kinds.minutes, 0, addDays(today, -90)),
    ])
    await add('rhythms', [
      rhythm(kinds.counted, 0, addDays(today, -90), water),
      rhythm(kinds.minutes, 0, addDays(today, -90), { ...water, unit: 'minutes' }),
    ])
    const named = JSON.stringify(
      Array.from({ length: 1_000 }, (_, number) => idOf(kinds.amount, 100_000 + number)),
    )
    for (let back = 0; back < 28; back += 1) {
      await add(
        'amounts',
        many(counts.entries, (number) => ({
          id: idOf(kinds.amount, back * 1_000 + number),
          habit_id: idOf(kinds.counted, 0),
          day: addDays(today, -back),
          value: 1_000,
          is_set: number % 10 === 0 ? 1 : 0,
          settles: number % 10 === 0 ? named : null,
          created_at: now - number,
          updated_at: now,
          deletion_changed_at: now,
        })),
      )
    }
    await add(
      'focus_sessions',
      many(counts.sessions, (number) => ({
        id: idOf(kinds.session, number),
        kind: 'countdown',
        todo_id: null,
        habit_id: idOf(kinds.minutes, 0),
        subject_at: 0,
        duration: 60,
        started_at: now - number * 60_000,
        ended_at: now - number * 60_000,
        ended_on: addDays(today, -(number % 30)),
        time_at: 0,
        knows_phases: 1,
        created_at: 0,
        updated_at: 0,
        deletion_changed_at: 0,
      })),
    )
    await add(
      'focus_days',
      many(counts.sessions, (number) => ({
        session_id: idOf(kinds.session, number),
        day: addDays(today, -(number % 30)),
        seconds: 60,
      })),
    )
    await add(
      'pauses',
      many(counts.pauses, (number) => ({
        id: idOf(kinds.pause, number),
        habit_id: null,
        from_day: addDays(today, -3 * number - 2),
        from_day_at: 0,
        to_day: addDays(today, -3 * number - 1),
        to_day_at: 0,
        created_at: 0,
        updated_at: 0,
        deletion_changed_at: 0,
      })),
    )
    const first = addDays(today, -counts.rhythms * Math.ceil(size))
    await add('habits', [habit(kinds.changing, 0, first)])
    await add(
      'rhythms',
      many(counts.rhythms, (number) =>
        rhythm(kinds.changing, 0, addDays(first, number), number % 2 ? 'yes' : water, 1 + (number % 5)),
      ),
    )
  }

  /** Adds many rows to each kind that has none yet. Nothing in these rows is expensive. */
  async function addOtherKinds(): Promise<void> {
    for (const { table } of rowKinds) {
      const there = await database.read.selectFrom(table).select('id').limit(1).execute()
      if (there.length > 0) continue
      const filled = await fillerOf(database.read, table)
      await add(
        table,
        many(counts.others, (number) => filled({ user_id: user, id: idOf(kinds.other, number) })),
      )
    }
  }
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The position of a row among up to 3,844. */
function positionOf(number: number): string {
  return `b${digits[Math.floor(number / digits.length)]}${digits[number % digits.length]}`
}
