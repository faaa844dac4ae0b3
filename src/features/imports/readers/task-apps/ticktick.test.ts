import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OpenedFile } from '#features/imports/reading/reading.ts'
import { readingOf } from '#features/imports/testing/read.ts'
import { csvFile } from '#features/imports/testing/writers.ts'
import { repeatWords } from '#features/todos/repeat/rule/repeat-words.ts'
import { addDays, daySchema } from '#platform/calendar/day.ts'
import { instantOfWallTime } from '#platform/calendar/wall-time.ts'
import { runs } from '#testing/runs.ts'
import { ticktick } from './ticktick.ts'

const backup: OpenedFile = {
  kind: 'text',
  name: 'TickTick-backup.csv',
  text: readFileSync(new URL('../samples/ticktick/backup.csv', import.meta.url), 'utf8'),
}
const { lists, todos, rows, notes } = readingOf(ticktick, backup)
const named = (title: string) => todos.find((todo) => todo.title === title)
const rowOf = (title: string) => rows.find((row) => row.title === title)

test('folders and lists become lists, and every row is told once', () => {
  expect(lists.map(({ name }) => name)).toEqual(['Errands', 'Work / Client'])
  expect(rows).toHaveLength(13)
  expect([...new Set(rows.map(({ line }) => line))]).toEqual([8, 9, 11, 12, 16, 17, 19, 20, 21, 22, 23])
  expect(notes).toEqual([
    'The column "Colour" isn\'t read.',
    "TickTick's file holds no habits, focus sessions or attachments.",
  ])
})

test('a whole day is the day in the zone of its row', () => {
  expect(named('Party')).toMatchObject({ due: '2018-12-12', priority: 3, tags: ['friends', 'home'] })
  // 15 hours before the midnight of that day.
  expect(named('Party')?.reminder).toEqual({ days_before: 1, time: 9 * 60 })
  expect(rowOf('Party')?.changed).toEqual(['Of several reminders the first comes'])
})

test('a child that stands before its parent is its subtask, done on the day where it was done', () => {
  expect(named('Buy the cake')).toMatchObject({
    parent: named('Party')?.key,
    completed: { on: '2018-12-12' },
  })
  expect(rowOf('Lost child')?.changed).toEqual(['The task above it is missing, so it stands alone'])
})

test('a task with times keeps its length, its reminder and its repeat, and its section is a tag', () => {
  const todo = named('Stand-up')
  expect(todo).toMatchObject({ due: '2026-11-26', estimate: 15, priority: 2, tags: ['Weekly'] })
  expect(todo?.reminder).toEqual({ days_before: 0, time: 8 * 60 + 50 })
  expect(todo?.repeat && repeatWords(todo.repeat)).toBe('every week on Mon, Thu')
  expect(rowOf('Stand-up')?.changed).toEqual(['The section "Weekly" becomes a tag'])
})

test('the items of a checklist become subtasks, each counted', () => {
  const [milk, bread, ...others] = todos.filter(({ parent }) => parent === named('Groceries')?.key)
  expect(milk).toMatchObject({ title: 'Milk' })
  expect(milk?.completed).toBeUndefined()
  expect(bread).toMatchObject({ title: 'Bread', completed: { on: '2018-12-01' } })
  expect(others).toEqual([])
  expect(named('Groceries')?.note).toBe('For Sunday')
  expect(rowOf('Milk')).toMatchObject({ what: 'subtask', becomes: milk?.key, line: rowOf('Groceries')?.line })
  expect(rows.map(({ becomes }) => becomes).toSorted()).toEqual(todos.map(({ key }) => key).toSorted())
})

test('what was given up, notes, and rules that Daymark does not have come changed', () => {
  expect(named('Learn Greek')).toMatchObject({
    tags: ["won't do"],
    priority: 1,
    completed: { on: '2020-05-01' },
  })
  expect(rowOf('Learn Greek')?.changed).toEqual([
    'It was given up: it comes as done, with the tag "won\'t do"',
  ])
  expect(rowOf('Ideas')?.changed).toEqual(['A note becomes a task'])
  expect(named('Ideas')?.note).toBe('One\nTwo')
  expect(named('Vocabulary')).toMatchObject({
    due: '2026-11-30',
    note: 'Repeat: ERULE:NAME=FORGETTINGCURVE;CYCLE=0',
  })
  expect(rowOf('Vocabulary')?.changed).toEqual([
    'The repeat "ERULE:NAME=FORGETTINGCURVE;CYCLE=0" becomes a note',
  ])
})

test('a date without an offset is a time in the zone of its row', () => {
  expect(named('Call')).toMatchObject({ due: '2026-11-27', reminder: { days_before: 0, time: 18 * 60 + 30 } })
})

test('rows whose ids a spreadsheet has spoiled stay apart', () => {
  const twins = todos.filter(({ title }) => title === 'Twin')
  expect(new Set(twins.map(({ key }) => key)).size).toBe(2)
  expect(twins[0]?.completed).toBeUndefined()
  expect(rowOf('Twin')?.changed).toEqual([])
  expect(rows.at(-1)?.changed).toEqual(['The file does not say when it was done'])
})

test('an older file, without Kind and without a preamble, is read too', () => {
  const text = csvFile([
    ['List Name', 'Title', 'Content', 'Due Date', 'Priority', 'Status', 'taskId'],
    ['Home', 'Water', '', '2018-12-11T23:00:00+0000', 'p1', '0', 'a'],
  ])
  expect(readingOf(ticktick, { kind: 'text', name: 'x.csv', text }).todos).toMatchObject([
    { title: 'Water', due: '2018-12-12', priority: 3 },
  ])
})

test('what is written in the format is read back', () => {
  const first = daySchema.parse('2015-01-01')
  const zone = fc.constantFrom('Europe/Berlin', 'America/Chicago', 'Asia/Kolkata', 'Pacific/Auckland', 'UTC')
  const task = fc.record({
    title: fc.stringMatching(/^[a-zé'",]{1,8}$/),
    list: fc.constantFrom('Home', 'Work'),
    priority: fc.constantFrom(0, 1, 2, 3),
    tags: fc.uniqueArray(fc.stringMatching(/^[a-zé]{1,6}$/), { maxLength: 3 }),
    note: fc.stringMatching(/^([a-z"]{1,5}(\n[a-z,]{1,5})?)?$/),
    day: fc.option(fc.integer({ min: 0, max: 5_000 }).map((days) => addDays(first, days))),
    doneOn: fc.option(fc.integer({ min: 0, max: 4_000 }).map((days) => addDays(first, days))),
    zone,
    parent: fc.option(fc.nat()),
  })
  const header = [
    ...[
      'Folder Name',
      'List Name',
      'Title',
      'Kind',
      'Tags',
      'Content',
      'Is Check list',
      'Start Date',
      'Due Date',
    ],
    ...[
      'Reminder',
      'Repeat',
      'Priority',
      'Status',
      'Created Time',
      'Completed Time',
      'Timezone',
      'Is All Day',
    ],
    ...['taskId', 'parentId'],
  ]
  const stamp = (instant: number) => `${new Date(instant).toISOString().slice(0, 19)}+0000`
  fc.assert(
    fc.property(fc.array(task, { maxLength: 12 }), (tasks) => {
      const parentOf = (place: number) => {
        const parent = tasks[place]?.parent ?? null
        return parent === null || parent % tasks.length === place ? undefined : parent % tasks.length
      }
      const text = csvFile([
        ['Date: 2026-11-20+0000'],
        ['Version: 7.1'],
        ['Status: \n0 Normal\n1 Completed\n2 Archived'],
        header,
        ...tasks.map(({ title, list, priority, tags, note, day, doneOn, zone }, place) => {
          const midnight = day === null ? '' : stamp(instantOfWallTime({ day, time: 0 }, zone))
          const done =
            doneOn === null ? '' : stamp(instantOfWallTime({ day: doneOn, time: 23 * 60 + 59 }, zone))
          return [
            ...['', list, title, 'TEXT', tags.join(', '), note, 'N', midnight, midnight, '', ''],
            ...[
              String([0, 1, 3, 5][priority]),
              done === '' ? '0' : '2',
              '2014-05-05T10:00:00+0000',
              done,
              zone,
            ],
            ...['true', `id${place}`, parentOf(place) === undefined ? '' : `id${parentOf(place)}`],
          ]
        }),
      ])
      const read = readingOf(ticktick, { kind: 'text', name: 'x.csv', text })
      expect(read.rows).toHaveLength(tasks.length)
      expect(
        read.todos.map(({ title, priority, tags, note, due, completed, parent }) => ({
          title,
          priority,
          tags,
          note,
          due,
          on: completed?.on,
          parent: parent === undefined ? undefined : read.todos.findIndex(({ key }) => key === parent),
        })),
      ).toEqual(
        tasks.map(({ title, priority, tags, note, day, doneOn }, place) => ({
          title,
          priority,
          tags,
          note,
          due: day ?? undefined,
          on: doneOn ?? undefined,
          parent: parentOf(place),
        })),
      )
    }),
    { numRuns: runs(2_000, 100) },
  )
})
