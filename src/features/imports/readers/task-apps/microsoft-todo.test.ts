import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readingOf } from '#features/imports/testing/read.ts'
import { repeatWords } from '#features/todos/repeat/rule/repeat-words.ts'
import { addDays, daySchema } from '#platform/calendar/day.ts'
import { instantOfWallTime } from '#platform/calendar/wall-time.ts'
import { runs } from '#testing/runs.ts'
import { microsoftTodo } from './microsoft-todo.ts'

const text = readFileSync(new URL('../samples/microsoft-todo/lists.json', import.meta.url), 'utf8')
const { lists, todos, rows } = readingOf(
  microsoftTodo,
  { kind: 'text', name: 'lists.json', text },
  { timeZone: 'America/Chicago' },
)
const named = (title: string) => todos.find((todo) => todo.title === title)
const changedOf = (title: string) => rows.find((row) => row.title === title)?.changed

test('lists, tasks and their steps are each told once', () => {
  expect(lists.map(({ name }) => name)).toEqual(['Tasks'])
  expect(rows.map(({ what }) => what)).toEqual([
    ...['list', 'task', 'subtask', 'subtask', 'task', 'task', 'task', 'task'],
  ])
})

test('a day that is stored as an instant is the day where the person is', () => {
  expect(named('Call the bank')).toMatchObject({
    due: '2023-07-31',
    reminder: { days_before: 0, time: 9 * 60 },
    priority: 3,
    note: 'Ask for Ann',
    tags: ['Red category'],
  })
  expect(named('Find the number')).toMatchObject({
    parent: named('Call the bank')?.key,
    completed: { on: '2023-07-01' },
  })
  // Midnight in UTC is nobody's midnight in Chicago.
  expect(named('Rent')?.due).toBe('2026-11-30')
  expect(named('Water')?.due).toBe('2026-11-26')
  expect(named('Done')?.completed?.on).toBe('2024-02-10')
})

test('a repeat comes with its end, or as a note', () => {
  const repeat = named('Water')?.repeat
  expect(repeat && repeatWords(repeat)).toBe('every 2 weeks on Mon, Thu')
  expect(repeat?.times).toBe(5)
  expect(changedOf('Rent')).toEqual([
    'Its status becomes a note',
    'The repeat "relativeMonthly, every 1, last, monday, tuesday" becomes a note',
  ])
  expect(named('Rent')?.note).toContain('Status: waiting on others')
})

test('what Daymark does not have is told', () => {
  expect(changedOf('Done')).toEqual(['Its files stay in Microsoft To Do'])
  expect(changedOf('Think')).toEqual(['The day of its reminder becomes the due date'])
  expect(named('Think')).toMatchObject({ due: '2026-12-01', reminder: { days_before: 0, time: 9 * 60 } })
})

test('what is written in the format is read back', () => {
  const day = fc.integer({ min: 0, max: 5_000 }).map((days) => addDays(daySchema.parse('2015-01-01'), days))
  const task = fc.record({
    title: fc.string(),
    note: fc.stringMatching(/^[a-z ]{0,9}$/),
    due: fc.option(day),
    doneOn: fc.option(day),
    importance: fc.constantFrom('low', 'normal', 'high'),
    steps: fc.array(fc.record({ title: fc.string(), doneOn: fc.option(day) }), { maxLength: 3 }),
  })
  const zones = fc.constantFrom('America/Chicago', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Auckland', 'UTC')
  fc.assert(
    fc.property(fc.array(task, { maxLength: 8 }), zones, (tasks, timeZone) => {
      const midnight = (at: typeof day extends fc.Arbitrary<infer Value> ? Value : never) => ({
        dateTime: new Date(instantOfWallTime({ day: at, time: 0 }, timeZone))
          .toISOString()
          .replace('Z', '0000'),
        timeZone: 'UTC',
      })
      const written = tasks.map(({ title, note, due, doneOn, importance, steps }, place) => ({
        id: String(place),
        title,
        importance,
        body: { content: note, contentType: 'text' },
        ...(due && { dueDateTime: midnight(due) }),
        ...(doneOn ? { status: 'completed', completedDateTime: midnight(doneOn) } : { status: 'notStarted' }),
        checklistItems: steps.map((step) => ({
          displayName: step.title,
          isChecked: step.doneOn !== null,
          ...(step.doneOn && { checkedDateTime: midnight(step.doneOn).dateTime.replace(/0000$/, 'Z') }),
        })),
      }))
      const read = readingOf(
        microsoftTodo,
        { kind: 'text', name: 'x', text: JSON.stringify([{ displayName: 'One', tasks: written }]) },
        { timeZone },
      )
      expect(read.rows).toHaveLength(1 + read.todos.length)
      expect(
        read.todos.map(({ title, note, due, completed, priority, parent }) => ({
          title,
          note,
          due,
          on: completed?.on,
          priority,
          isStep: parent !== undefined,
        })),
      ).toEqual(
        tasks.flatMap(({ title, note, due, doneOn, importance, steps }) => [
          {
            title: title.trim(),
            note: note.trim(),
            due: due ?? undefined,
            on: doneOn ?? undefined,
            priority: { low: 1, normal: 0, high: 3 }[importance],
            isStep: false,
          },
          ...steps.map((step) => ({
            title: step.title.trim(),
            note: '',
            due: undefined,
            on: step.doneOn ?? undefined,
            priority: 0,
            isStep: true,
          })),
        ]),
      )
    }),
    { numRuns: runs(2_000, 100) },
  )
})

test('a task that was renamed between two exports is the same task', () => {
  const renamed = text.replaceAll('"Call the bank"', '"Call the bank again"')
  const read = readingOf(microsoftTodo, { kind: 'text', name: 'lists.json', text: renamed })
  expect(read.todos.find(({ title }) => title === 'Call the bank again')?.key).toBe(
    named('Call the bank')?.key,
  )
})
