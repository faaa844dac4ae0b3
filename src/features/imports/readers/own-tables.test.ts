import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ruleOf } from '#features/todos/repeat/rule/repeat-rule.ts'
import { calendarFile } from '#features/your-data/calendar-file.ts'
import { completionsTable, sessionsTable, type Table, tasksTable } from '#features/your-data/csv-tables.ts'
import { exportedAccountSchema } from '#features/your-data/exported-account.ts'
import { addDays, type Day, instantToWire } from '#platform/calendar/day.ts'
import { formatCsv } from '#platform/wire/csv.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import { runs } from '#testing/runs.ts'
import { readerContext } from '../testing/read.ts'
import { textFile, wholeReadingOf } from '../testing/read-sample.ts'
import { plainCsv } from './plain-csv.ts'
import { ics } from './task-apps/ics.ts'

const { today, now } = readerContext
let nth = 0
const id = () => newRowId(now - 1_000_000 + nth++, new Uint8Array(10).fill(nth % 256))
const readTable = ({ head, rows }: Table) => wholeReadingOf(plainCsv, textFile(formatCsv(head, rows)))

const text = fc
  .string({
    unit: fc.constantFrom('a', 'Ü', '"', ',', '=', '-', "'", '\n', ' ', '1'),
    minLength: 1,
    maxLength: 12,
  })
  .map((each) => `${each}x`.trim())
const day = fc.integer({ min: 0, max: 700 }).map((back) => addDays(today, -back))
const instant = fc.integer({ min: now - 6e10, max: now }).map(instantToWire)

const account = (lists: object) =>
  exportedAccountSchema.parse({
    format: 'daymark',
    version: 2,
    exported_at: instantToWire(now),
    account: { name: 'Ida', email: 'ida@example.org' },
    preferences: {
      time_zone: 'Europe/Berlin',
      time_zone_follows_browser: false,
      day_start: 0,
      week_start: 1,
      theme: 'system',
    },
    lists: [],
    todos: [],
    habits: [],
    pauses: [],
    focus_sessions: [],
    ...lists,
  })

const todo = fc
  .record({
    title: text,
    note: fc.option(text, { nil: '' }),
    priority: fc.constantFrom(0, 1, 2, 3),
    tags: fc.uniqueArray(fc.constantFrom('home', 'Straße', 'a b', 'x-1'), { maxLength: 3 }),
    due_day: fc.option(day),
    estimate: fc.option(fc.integer({ min: 1, max: 5_999 })),
    inList: fc.boolean(),
    done: fc.option(fc.record({ at: instant, on: day })),
    created_at: instant,
  })
  .map(({ inList, done, ...fields }) => ({ fields, inList, done }))

test('the table of tasks brings them all back', () => {
  fc.assert(
    fc.property(fc.array(todo, { minLength: 1, maxLength: 12 }), (all) => {
      const list = {
        id: id(),
        name: 'Home, sweet',
        color: 1,
        position: 'a0',
        sort: 'manual',
        archived_at: null,
      }
      const todos = all.map(({ fields, inList, done }) => ({
        id: id(),
        ...fields,
        list_id: inList ? list.id : null,
        updated_at: fields.created_at,
        completed: done ? 1 : 0,
        completed_at: done?.at ?? null,
        completed_on: done?.on ?? null,
      }))
      const times = { created_at: instantToWire(now), updated_at: instantToWire(now) }
      const exported = account({ lists: [{ ...list, ...times }], todos })
      const read = readTable(tasksTable(exported, today))
      expect(
        read.todos.map(({ title, note, priority, tags, due, estimate, list: key, completed, created }) => ({
          title,
          note,
          priority,
          tags,
          due: due ?? null,
          estimate: estimate ?? null,
          inList: key !== undefined,
          created,
          done: completed ? { at: instantToWire(completed.at), on: completed.on } : null,
        })),
      ).toEqual(
        exported.todos.map((row, place) => ({
          title: row.title,
          note: row.note,
          priority: row.priority,
          tags: row.tags,
          due: row.due_day,
          estimate: row.estimate,
          inList: all[place]?.inList,
          created: Date.parse(row.created_at),
          done: all[place]?.done ?? null,
        })),
      )
      expect(read.rows.every(({ changed, refused }) => changed.length === 0 && !refused)).toBe(true)
      expect(read.notes).toEqual([])
    }),
    { numRuns: runs(1_000, 60) },
  )
})

test('subtasks, repeats and what was done of them come back, too', () => {
  const parent = id()
  const at = '2026-11-17T06:10:00.000Z'
  const fields = { completed: 0, completed_at: null, completed_on: null, created_at: at, updated_at: at }
  const repeat = { freq: 'month', every: 1, days: [31], mode: 'due', from: '2026-10-31' }
  const days = [{ day: '2026-10-31', state: 'done', done_on: '2026-11-01', moved_to: null, at }]
  const exported = account({
    todos: [
      { id: parent, title: '=Rent', repeat, days, ...fields },
      { id: id(), title: 'Stamp', parent_id: parent, ...fields },
    ],
  })
  const { todos } = readTable(tasksTable(exported, today))
  expect(todos).toMatchObject([
    { title: '=Rent', due: '2026-11-30', repeat: { freq: 'month', days: [31], from: '2026-11-30' } },
    { title: '=Rent', due: '2026-10-31', completed: { at: Date.parse(at), on: '2026-11-01' } },
    { title: 'Stamp', parent: todos[0]?.key },
  ])
  expect(ruleOf(todos[0]?.repeat ?? {})).toBeDefined()
})

test('the table of completions brings back the days of each habit', () => {
  const habit = fc.record({
    name: text,
    done: fc.uniqueArray(day, { maxLength: 20 }),
    skipped: fc.uniqueArray(day, { maxLength: 5 }),
    noted: fc.uniqueArray(day, { maxLength: 3 }),
  })
  const some = fc.uniqueArray(habit, { selector: ({ name }) => name, maxLength: 5 })
  fc.assert(
    fc.property(some, (all) => {
      const created_at = instantToWire(now)
      const habits = all.map(({ name, done, skipped, noted }) => ({
        id: id(),
        name,
        description: '',
        start_date: addDays(today, -800),
        reminder: null,
        created_at,
        rhythms: [{ from_day: addDays(today, -800), rhythm: { every: 1 }, target: 'yes' }],
        completions: done.toSorted(),
        skips: skipped.filter((each) => !done.includes(each)).toSorted(),
        notes: noted.toSorted().map((each) => ({ day: each, note: `On ${each}` })),
      }))
      const exported = account({ habits })
      const table = completionsTable(exported)
      if (table.rows.length === 0) return
      const read = readTable(table)
      const told = exported.habits.filter(
        ({ completions, skips, notes }) => completions.length + skips.length + notes.length > 0,
      )
      expect(
        read.habits.map(({ name, completions, skips, notes }) => ({ name, completions, skips, notes })),
      ).toEqual(told.map(({ name, completions, skips, notes }) => ({ name, completions, skips, notes })))
    }),
    { numRuns: runs(1_000, 60) },
  )
})

test('amounts come back in thousandths, with their unit', () => {
  const created_at = instantToWire(now)
  const target = { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' }
  const amount = (on: string, value: number) => ({ id: id(), day: on, value, at: `${on}T09:00:00.000Z` })
  const exported = account({
    habits: [
      {
        id: id(),
        name: 'Water',
        description: '',
        start_date: '2026-11-01',
        reminder: null,
        created_at,
        rhythms: [{ from_day: '2026-11-01', rhythm: { every: 1 }, target }],
        completions: [],
        amounts: [amount('2026-11-19', 1_000), amount('2026-11-19', 2_500), amount('2026-11-20', 1_000)],
      },
    ],
  })
  expect(readTable(completionsTable(exported)).habits[0]).toMatchObject({
    amounts: [
      { day: '2026-11-19', value: 3_500 },
      { day: '2026-11-20', value: 1_000 },
    ],
    rhythms: [{ target: { unit: 'glasses' } }],
  })
})

test('the table of sessions brings back when they were, how long, and the totals of days', () => {
  const exported = account({
    focus_sessions: [
      {
        id: id(),
        duration: 1_500,
        kind: 'countdown',
        todo_id: null,
        habit_id: null,
        started_at: '2026-11-19T08:00:00.000Z',
        ended_at: '2026-11-19T08:30:00.000Z',
        days: [{ day: '2026-11-19', seconds: 1_500 }],
      },
      {
        id: id(),
        duration: 7_200,
        kind: 'total',
        todo_id: null,
        habit_id: null,
        started_at: null,
        ended_at: '2026-11-20T12:00:00.000Z',
        days: [{ day: '2026-11-20' as Day, seconds: 7_200 }],
      },
    ],
  })
  expect(readTable(sessionsTable(exported)).sessions).toMatchObject([
    {
      kind: 'hand',
      duration: 1_500,
      days: [{ day: '2026-11-19', seconds: 1_500 }],
      start: Date.parse('2026-11-19T08:00:00Z'),
      end: Date.parse('2026-11-19T08:30:00Z'),
    },
    { kind: 'total', duration: 7_200, days: [{ day: '2026-11-20', seconds: 7_200 }] },
  ])
})

test('the calendar brings back the tasks, their lists, days and subtasks', () => {
  fc.assert(
    fc.property(fc.array(todo, { minLength: 1, maxLength: 8 }), (all) => {
      const times = { created_at: instantToWire(now), updated_at: instantToWire(now) }
      const list = {
        id: id(),
        name: 'Home, sweet',
        color: 1,
        position: 'a0',
        sort: 'manual',
        archived_at: null,
      }
      const todos = all.map(({ fields, inList, done }) => ({
        id: id(),
        ...fields,
        list_id: inList ? list.id : null,
        updated_at: fields.created_at,
        completed: done ? 1 : 0,
        completed_at: done?.at ?? null,
        completed_on: done?.on ?? null,
      }))
      const exported = account({ lists: [{ ...list, ...times }], todos })
      const read = wholeReadingOf(ics, textFile(calendarFile(exported, today)))
      const names = new Map(read.lists.map(({ key, name }) => [key, name]))
      expect(
        read.todos.map(({ title, note, priority, tags, due, list: key, completed }) => ({
          title,
          note,
          priority,
          tags,
          due: due ?? null,
          list: names.get(key ?? '') ?? null,
          isDone: completed !== undefined,
        })),
      ).toEqual(
        exported.todos.map((row) => ({
          title: row.title,
          note: row.note,
          priority: row.priority,
          tags: row.tags,
          due: row.due_day,
          list: row.list_id === null ? null : 'Home, sweet',
          isDone: row.completed === 1,
        })),
      )
    }),
    { numRuns: runs(1_000, 60) },
  )
})

test('the calendar brings back repeats, what became of their days, reminders and subtasks', () => {
  const parent = id()
  const at = '2026-11-01T06:10:00.000Z'
  const fields = { completed: 0, completed_at: null, completed_on: null, created_at: at, updated_at: at }
  const repeat = { freq: 'month', every: 1, days: [31], mode: 'due', from: '2026-10-31' }
  const days = [{ day: '2026-10-31', state: 'done', done_on: '2026-11-01', moved_to: null, at }]
  const exported = account({
    todos: [
      { id: parent, title: 'Rent', repeat, days, reminder: { days_before: 1, time: 1_200 }, ...fields },
      { id: id(), title: 'Stamp', parent_id: parent, ...fields },
    ],
  })
  const { todos, rows } = wholeReadingOf(ics, textFile(calendarFile(exported, today)))
  expect(todos).toMatchObject([
    {
      title: 'Rent',
      due: '2026-10-31',
      repeat: { freq: 'month', days: [31], from: '2026-10-31' },
      reminder: { days_before: 1, time: 1_200 },
      days: [{ day: '2026-10-31', state: 'done', done_on: '2026-11-01' }],
    },
    { title: 'Stamp', parent: todos[0]?.key },
  ])
  expect(rows.flatMap(({ changed }) => changed)).toEqual([])
})
