import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readingOf } from '#features/imports/testing/read.ts'
import { addDays, daySchema } from '#platform/calendar/day.ts'
import { runs } from '#testing/runs.ts'
import { googleTasks } from './google-tasks.ts'

const text = readFileSync(new URL('../samples/google-tasks/Tasks.json', import.meta.url), 'utf8')
const { lists, todos, rows } = readingOf(googleTasks, { kind: 'text', name: 'Tasks.json', text })
const named = (title: string) => todos.find((todo) => todo.title === title)
const rowOf = (title: string) => rows.find((row) => row.title === title)

test('lists come with their tasks, and every list and task is told once', () => {
  expect(lists.map(({ name }) => name)).toEqual(['My Tasks', 'Empty'])
  expect(rows.map(({ what, line }) => [what, line])).toEqual([
    ['list', 1],
    ...[1, 2, 3, 4, 5].map((line) => [line === 1 || line === 5 ? 'subtask' : 'task', line]),
    ['list', 2],
  ])
  expect(todos).toHaveLength(4)
})

test('what is due at midnight in UTC is due on that day everywhere', () => {
  for (const timeZone of ['America/Los_Angeles', 'Pacific/Auckland']) {
    const read = readingOf(googleTasks, { kind: 'text', name: 'Tasks.json', text }, { timeZone })
    expect(read.todos.find(({ title }) => title === 'Birthday')?.due).toBe('2026-11-28')
  }
  expect(named('Birthday')?.note).toBe('For Ann\n\nInvitation https://mail.example/1')
})

test('a child that stands before its parent is its subtask, done on the day where the person is', () => {
  expect(named('Buy candles')).toMatchObject({
    parent: named('Birthday')?.key,
    completed: { on: '2026-11-20' },
  })
  expect(rowOf('Orphan')?.changed).toEqual(['The file does not say when it was done'])
})

test('what was deleted does not come, and of what repeats the file does not say how', () => {
  expect(rowOf('Old')?.refused).toBe('It was deleted')
  expect(rowOf('Take pills')?.changed).toEqual(['It repeats, but the file does not say how'])
  expect(named('Take pills')?.reminder).toEqual({ days_before: 0, time: 8 * 60 })
})

test('the zip file of Takeout is read too', () => {
  const zip = {
    kind: 'zip',
    name: 'takeout.zip',
    files: [{ path: 'Takeout/Tasks/Tasks.json', text }],
    others: [],
  } as const
  expect(readingOf(googleTasks, zip).todos).toEqual(todos)
})

test('what is written in the format is read back', () => {
  const day = fc.integer({ min: 0, max: 5_000 }).map((days) => addDays(daySchema.parse('2015-01-01'), days))
  const task = fc.record({
    title: fc.string(),
    notes: fc.string(),
    due: fc.option(day),
    doneOn: fc.option(day),
    parent: fc.option(fc.nat({ max: 20 })),
  })
  fc.assert(
    fc.property(fc.array(fc.array(task, { maxLength: 8 }), { maxLength: 4 }), (all) => {
      const parentOf = (tasks: readonly { parent: number | null }[], place: number) => {
        const parent = tasks[place]?.parent ?? place
        return parent % tasks.length === place ? undefined : parent % tasks.length
      }
      const written = {
        kind: 'tasks#taskLists',
        items: all.map((tasks, list) => ({
          title: `List ${list}`,
          items: tasks.map(({ title, notes, due, doneOn }, place) => ({
            id: `${list}.${place}`,
            title,
            notes,
            status: doneOn ? 'completed' : 'needsAction',
            ...(due && { due: `${due}T00:00:00.000Z` }),
            // Late in the evening in Berlin.
            ...(doneOn && { completed: `${doneOn}T21:30:00.000Z` }),
            ...(parentOf(tasks, place) !== undefined && { parent: `${list}.${parentOf(tasks, place)}` }),
          })),
        })),
      }
      const read = readingOf(googleTasks, { kind: 'text', name: 'x', text: JSON.stringify(written) })
      expect(read.rows).toHaveLength(all.length + all.flat().length)
      const places = new Map(read.todos.map(({ key }, place) => [key, place]))
      let first = 0
      const expected = all.flatMap((tasks, list) => {
        const start = first
        first += tasks.length
        return tasks.map(({ title, notes, due, doneOn }, place) => ({
          title: title.trim(),
          note: notes.replaceAll(/\r\n?/g, '\n').trim(),
          list: `List ${list}`,
          due: due ?? undefined,
          on: doneOn ?? undefined,
          parent: parentOf(tasks, place) === undefined ? undefined : start + (parentOf(tasks, place) ?? 0),
        }))
      })
      expect(
        read.todos.map(({ title, note, list, due, completed, parent }) => ({
          title,
          note,
          list: read.lists.find(({ key }) => key === list)?.name,
          due,
          on: completed?.on,
          parent: parent === undefined ? undefined : places.get(parent),
        })),
      ).toEqual(expected)
    }),
    { numRuns: runs(2_000, 100) },
  )
})

test('a task that was renamed between two exports is the same task', () => {
  const renamed = text.replaceAll('"Birthday"', '"Birthday party"')
  const read = readingOf(googleTasks, { kind: 'text', name: 'Tasks.json', text: renamed })
  expect(read.todos.find(({ title }) => title === 'Birthday party')?.key).toBe(named('Birthday')?.key)
})
