import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OpenedFile } from '#features/imports/reading/reading.ts'
import { readingOf } from '#features/imports/testing/read.ts'
import { repeatWords } from '#features/todos/repeat/rule/repeat-words.ts'
import { addDays, daySchema } from '#platform/calendar/day.ts'
import { runs } from '#testing/runs.ts'
import { vikunja } from './vikunja.ts'

const sample = (path: string) => ({
  path,
  text: readFileSync(new URL(`../samples/vikunja/${path}`, import.meta.url), 'utf8'),
})
const zip = (files: { path: string; text: string }[]): OpenedFile => ({
  kind: 'zip',
  name: 'vikunja-export.zip',
  others: ['files/1'],
  files: [{ path: 'VERSION', text: 'v0.24.0' }, ...files],
})
const { lists, todos, rows } = readingOf(vikunja, zip([sample('data.json'), sample('filters.json')]))
const named = (title: string) => todos.find((todo) => todo.title === title)
const rowOf = (title: string) => rows.find((row) => row.title === title)
const repeatOf = (title: string) => {
  const repeat = named(title)?.repeat
  return repeat && repeatWords(repeat)
}

test('the projects come without their zip, too', () => {
  const { text } = sample('data.json')
  const alone = readingOf(vikunja, { kind: 'text', name: 'data.json', text })
  expect(alone.todos).toEqual(todos)
  expect(alone.lists).toEqual(lists)
  const others = [{ title: 'Home', tasks: [{ title: 'Tidy' }] }]
  const file: OpenedFile = { kind: 'text', name: 'data.json', text: JSON.stringify(others) }
  expect(vikunja.recognises(file)).toBe(false)
})

test('projects become lists, called after those they are in', () => {
  expect(lists).toMatchObject([
    { name: 'Work', archived: false },
    { name: 'Work / Client', archived: true },
  ])
  expect(rowOf('Work / Client')?.changed).toEqual([
    'It is in another project, and is called "Work / Client"',
    'Its description does not come, since lists have none',
  ])
  expect(rowOf('Work')?.changed).toEqual(['Its buckets do not come'])
  expect(rowOf('Overdue')?.refused).toBe('Daymark has no saved filters of Vikunja')
  expect(rows).toHaveLength(2 + 7 + 1)
})

test('a task comes with its note, labels, priority and subtasks, and what it loses is told', () => {
  expect(named('Move')).toMatchObject({
    due: '2026-11-27',
    priority: 3,
    tags: ['home', 'big'],
    reminder: { days_before: 1, time: 9 * 60 },
    note: 'To the new flat\n\n40 % done\nAssigned to ann\n\nSoon?',
  })
  expect(named('Find a desk')?.parent).toBe(named('Move')?.key)
  expect(rowOf('Move')?.changed).toEqual([
    'Of several reminders the first comes',
    'The priority "urgent" becomes high',
    'How much of it is done becomes a note',
    'Who it is assigned to becomes a note',
    'Its comments become part of the note',
    'Its files stay in the zip file: plan.pdf',
  ])
})

test('what repeats comes with its repeat, or a note', () => {
  expect(repeatOf('Filter')).toBe('90 days after it is done')
  expect(repeatOf('Plants')).toBe('every 3 days')
  expect(repeatOf('Rent')).toBe('every month on the 1st')
  expect(repeatOf('Pills')).toBeUndefined()
  expect(rowOf('Pills')?.changed).toEqual(['The repeat "every 480 minutes" becomes a note'])
})

test('no date is none, and what was done late in the evening was done on the day of the person', () => {
  expect(named('Find a desk')).not.toHaveProperty('due')
  expect(named('Tax')).toMatchObject({ completed: { on: '2026-06-01' }, note: 'Starts on 2026-05-01' })
})

test('what is written in the format is read back', () => {
  const day = fc.integer({ min: 0, max: 5_000 }).map((days) => addDays(daySchema.parse('2015-01-01'), days))
  const none = '0001-01-01T00:00:00Z'
  const task = fc.record({
    title: fc.string(),
    note: fc.stringMatching(/^[a-z &]{0,9}$/),
    due: fc.option(day),
    doneOn: fc.option(day),
    priority: fc.constantFrom(0, 1, 2, 3),
    labels: fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { maxLength: 2 }),
    repeat: fc.option(fc.record({ days: fc.integer({ min: 1, max: 400 }), mode: fc.constantFrom(0, 2) })),
    parent: fc.option(fc.nat({ max: 20 })),
  })
  fc.assert(
    fc.property(fc.array(task, { maxLength: 10 }), (tasks) => {
      const parentOf = (place: number) => {
        const parent = tasks[place]?.parent ?? place
        return parent % tasks.length === place ? undefined : parent % tasks.length
      }
      const project = {
        id: 1,
        title: 'One',
        parent_project_id: 0,
        tasks: tasks.map(({ title, note, due, doneOn, priority, labels, repeat }, place) => ({
          id: place + 1,
          title,
          description: note,
          priority,
          labels: labels.map((title) => ({ title })),
          due_date: due ? `${due}T11:00:00Z` : none,
          done: doneOn !== null,
          done_at: doneOn ? `${doneOn}T22:59:00Z` : none,
          repeat_after: (repeat?.days ?? 0) * 86_400,
          repeat_mode: repeat?.mode ?? 0,
          related_tasks: {
            ...(parentOf(place) !== undefined && { parenttask: [{ id: (parentOf(place) ?? 0) + 1 }] }),
          },
        })),
      }
      const read = readingOf(vikunja, zip([{ path: 'data.json', text: JSON.stringify([project]) }]))
      expect(read.rows).toHaveLength(1 + tasks.length)
      expect(
        read.todos.map(({ title, note, due, completed, priority, tags, repeat, parent }) => ({
          title,
          note,
          due: repeat ? undefined : due,
          priority,
          tags,
          isDone: completed !== undefined,
          repeat: repeat && [repeat.mode, repeat.freq, repeat.every],
          parent: parent === undefined ? undefined : read.todos.findIndex(({ key }) => key === parent),
        })),
      ).toEqual(
        tasks.map(({ title, note, due, doneOn, priority, labels, repeat }, place) => ({
          title: title.trim(),
          note: note.trim(),
          due: repeat ? undefined : (due ?? undefined),
          priority,
          tags: labels,
          isDone: doneOn !== null,
          repeat: repeat ? [repeat.mode === 2 ? 'done' : 'due', 'day', repeat.days] : undefined,
          parent: parentOf(place),
        })),
      )
    }),
    { numRuns: runs(2_000, 100) },
  )
})
