import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readingOf } from '#features/imports/testing/read.ts'
import { repeatWords } from '#features/todos/repeat/rule/repeat-words.ts'
import { addDays, daySchema } from '#platform/calendar/day.ts'
import { runs } from '#testing/runs.ts'
import { tududi } from './tududi.ts'

const text = readFileSync(new URL('../samples/tududi/backup.json', import.meta.url), 'utf8')
const read = (content: string) => readingOf(tududi, { kind: 'text', name: 'backup.json', text: content })
const { lists, todos, habits, rows } = read(text)
const named = (title: string) => todos.find((todo) => todo.title === title)
const rowOf = (title: string) => rows.find((row) => row.title === title)
const repeatOf = (title: string) => {
  const repeat = named(title)?.repeat
  return repeat && repeatWords(repeat)
}

test('projects become lists, called after their areas', () => {
  expect(lists).toMatchObject([
    { name: 'Work / Client', archived: false },
    { name: 'Home', archived: true },
  ])
  expect(rowOf('Work / Client')?.changed).toHaveLength(2)
})

test('a task comes with its day in the zone of the file, and its subtasks', () => {
  expect(named('Offer')).toMatchObject({
    due: '2026-11-27',
    priority: 3,
    tags: ['deep'],
    note: 'Two pages',
    list: lists[0]?.key,
  })
  expect(rowOf('Offer')?.changed).toEqual(['Its files do not come: a.pdf'])
  expect(named('Outline')).toMatchObject({ parent: named('Offer')?.key, completed: { on: '2026-11-19' } })
})

test('what repeats comes with its repeat and what became of its days, or as a note', () => {
  expect(repeatOf('Bins')).toBe('every 2 weeks on Thu')
  expect(named('Bins')?.days).toEqual([{ day: '2026-11-12', state: 'done', done_on: '2026-11-12' }])
  expect(repeatOf('Filter')).toBe('a month after it is done')
  expect(repeatOf('Pay')).toBe('every month on the last Fri')
  expect(rowOf('Odd')?.changed).toEqual(['The repeat "lunar" becomes a note'])
})

test('habits, cancelled tasks, the inbox and notes are each told', () => {
  expect(habits).toMatchObject([
    {
      name: 'Run',
      completions: ['2026-11-19'],
      rhythms: [{ rhythm: { times: 3, per: 'week' }, target: 'yes' }],
    },
  ])
  expect(named('Learn Greek')).toMatchObject({ tags: ["won't do"], completed: { on: '2026-05-01' } })
  expect(named('Ask Bob')).toBeDefined()
  expect(rowOf('Gone')?.refused).toBe('It was deleted')
  expect(rowOf('A thought')?.refused).toBe('Daymark has no notes of a list')
})

test('what is written in the format is read back, with uids or with ids', () => {
  const day = fc.integer({ min: 0, max: 5_000 }).map((days) => addDays(daySchema.parse('2015-01-01'), days))
  const task = fc.record({
    title: fc.string(),
    note: fc.stringMatching(/^[a-z &]{0,9}$/),
    due: fc.option(day),
    doneOn: fc.option(day),
    priority: fc.constantFrom(null, 0, 1, 2),
    project: fc.constantFrom(1, 2),
    parent: fc.option(fc.nat({ max: 20 })),
  })
  fc.assert(
    fc.property(fc.array(task, { maxLength: 10 }), fc.boolean(), (tasks, hasUids) => {
      const parentOf = (place: number) => {
        const parent = tasks[place]?.parent ?? place
        return parent % tasks.length === place ? undefined : parent % tasks.length
      }
      const named = (id: number) => ({ id, ...(hasUids && { uid: `u${id}` }) })
      const reference = (name: string, id: number) =>
        hasUids ? { [`${name}_uid`]: `u${id}` } : { [`${name}_id`]: id }
      const data = {
        areas: [],
        tags: [],
        projects: [1, 2].map((id) => ({ ...named(id), name: `List ${id}` })),
        tasks: tasks.map(({ title, note, due, doneOn, priority, project }, place) => ({
          ...named(place + 1),
          name: title,
          note,
          priority,
          ...reference('project', project),
          due_date: due,
          status: doneOn ? 2 : 0,
          completed_at: doneOn && `${doneOn}T15:00:00Z`,
          ...(parentOf(place) !== undefined && reference('parent_task', (parentOf(place) ?? 0) + 1)),
        })),
      }
      const found = read(JSON.stringify({ version: 'v0.80.0', data }))
      expect(found.rows).toHaveLength(2 + tasks.length)
      expect(
        found.todos.map(({ title, note, due, completed, priority, list, parent }) => ({
          title,
          note,
          due,
          on: completed?.on,
          priority,
          list: found.lists.find(({ key }) => key === list)?.name,
          parent: parent === undefined ? undefined : found.todos.findIndex(({ key }) => key === parent),
        })),
      ).toEqual(
        tasks.map(({ title, note, due, doneOn, priority, project }, place) => ({
          title: title.trim(),
          note: note.trim(),
          due: due ?? undefined,
          on: doneOn ?? undefined,
          priority: priority === null ? 0 : priority + 1,
          list: `List ${project}`,
          parent: parentOf(place),
        })),
      )
    }),
    { numRuns: runs(2_000, 100) },
  )
})
