import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ReadTodo } from '#features/imports/reading/reading.ts'
import { readingOf } from '#features/imports/testing/read.ts'
import { csvFile } from '#features/imports/testing/writers.ts'
import { repeatWords } from '#features/todos/repeat/rule/repeat-words.ts'
import { runs } from '#testing/runs.ts'
import { todoist } from './todoist.ts'

const sample = (name: string) => readFileSync(new URL(`../samples/todoist/${name}`, import.meta.url), 'utf8')
const home = { kind: 'text', name: 'Home [2203306141].csv', text: sample('Home [2203306141].csv') } as const

const brief = ({ title, parent, tags, priority, due, reminder, repeat, estimate }: ReadTodo) => ({
  title,
  ...(parent !== undefined && { parent: true }),
  ...(tags.length > 0 && { tags }),
  ...(priority > 0 && { priority }),
  ...(due && { due }),
  ...(reminder && { time: reminder.time }),
  ...(repeat && { repeat: repeatWords(repeat) }),
  ...(estimate && { estimate }),
})

test('a project comes with its labels, priorities, dates, repeats, subtasks and sections', () => {
  const { lists, todos } = readingOf(todoist, home)
  expect(lists).toMatchObject([{ name: 'Home', fromName: true }])
  expect(todos.map(brief)).toEqual([
    {
      title: 'Water the plants',
      tags: ['home', 'garden'],
      due: '2026-11-25',
      repeat: '3 days after it is done',
    },
    { title: 'Renew the passport', priority: 3, due: '2026-11-27', time: 18 * 60, estimate: 45 },
    { title: 'Take photos', parent: true, priority: 2 },
    { title: 'Find a shop', parent: true, priority: 1 },
    { title: 'Read the meters', tags: ['Flat'] },
    {
      title: 'Müll rausbringen',
      tags: ['Flat'],
      priority: 1,
      due: '2026-11-27',
      time: 7 * 60,
      repeat: 'every week on Fri',
    },
    { title: 'Pay the rent', tags: ['Flat'], due: '2026-11-30' },
    // An instant is read in the zone of its row.
    { title: 'Pay the rent', tags: ['Flat'], due: '2026-12-02', time: 30 },
    { title: '', tags: ['Flat'] },
  ])
  expect(todos.map(({ note }) => note).filter((note) => note !== '')).toEqual([
    'Bring two photos,\nand the old one\n\nDeadline: 3 Dec 2026\n\nFirst line\nsecond "line" form.pdf: https://files.example/form.pdf',
    'Date: every blue moon\nDuration: 2 days\nAssigned to Bob (2)',
  ])
  expect(todos[3]?.parent).toBe(todos[2]?.key)
})

test('every row of a project is told once, and why it comes changed or cannot come', () => {
  const { rows, notes } = readingOf(todoist, home)
  expect(
    rows.map(({ line, title, changed, refused }) => [line, title.slice(0, 12), refused ?? changed]),
  ).toEqual([
    [2, 'view_style=l', 'Daymark keeps no settings of how a list is shown'],
    [3, 'Water the pl', []],
    [5, 'Renew the pa', ['The file names no year: read as 27 November 2026', 'The deadline becomes a note']],
    [
      7,
      'First line\r\n',
      [
        'The comment becomes part of the note of its task',
        'Of form.pdf only the address comes, since the file is not in it',
      ],
    ],
    [9, 'Take photos', []],
    [10, 'Find a shop', []],
    [12, 'Flat', ['The section becomes a tag of its tasks']],
    [
      13,
      'Read the met',
      [
        "It can't be ticked in Todoist, but here it can",
        'The date "every blue moon" can\'t be read and becomes a note',
        'The duration becomes a note',
        'Who it is assigned to becomes a note',
      ],
    ],
    [14, 'Müll rausbri', []],
    [15, 'Pay the rent', ['The deadline becomes the due date']],
    [16, 'Pay the rent', []],
    [17, '', []],
    [18, '?', '"reminder" is no kind of row that is known'],
  ])
  expect(notes[0]).toBe('The column "COLOUR" isn\'t read.')
})

test('a file of 2019, without the newer columns, is read too', () => {
  const { todos } = readingOf(todoist, { kind: 'text', name: 'Errands.csv', text: sample('2019.csv') })
  expect(todos.map(brief)).toEqual([{ title: 'Buy milk', due: '2026-11-25', repeat: 'every day' }])
  expect(todos[0]?.note).toBe('From the corner shop')
})

test('of a zip file each project becomes a list, and equal names stay apart', () => {
  const files = ['backup/Home [1].csv', 'backup/Home [2].csv'].map((path) => ({
    path,
    text: sample('2019.csv'),
  }))
  const zip = {
    kind: 'zip',
    name: 'backup.zip',
    files: [...files, { path: 'x.txt', text: 'x' }],
    others: [],
  } as const
  expect(todoist.recognises(zip)).toBe(true)
  const { lists, todos, notes } = readingOf(todoist, zip)
  expect(lists.map(({ name }) => name)).toEqual(['Home', 'Home'])
  expect(new Set([...lists, ...todos].map(({ key }) => key)).size).toBe(4)
  expect(notes).toContain('Not read, since they hold no tasks: x.txt.')
})

test('what is written in the format is read back', () => {
  const title = fc.stringMatching(/^[a-zA-Zé'",]{1,8}( [a-z]{1,5})?$/)
  const phrases = {
    '': undefined,
    'every 2 weeks': 'every 2 weeks on Wed',
    'every! month': 'a month after it is done',
    'ev mon, fri': 'every week on Mon, Fri',
  }
  const task = fc.record({
    title,
    labels: fc.uniqueArray(fc.stringMatching(/^[a-zé_]{1,6}$/), { maxLength: 3 }),
    priority: fc.constantFrom(0, 1, 2, 3),
    indent: fc.integer({ min: 1, max: 4 }),
    phrase: fc.constantFrom(...Object.keys(phrases)),
    note: fc.stringMatching(/^([a-z"]{1,5}(\n[a-z,]{1,5})?)?$/),
    comments: fc.array(fc.stringMatching(/^[a-z"]{1,5}(\n[a-z,]{1,5})?$/), { maxLength: 2 }),
  })
  fc.assert(
    fc.property(fc.array(task, { maxLength: 12 }), fc.boolean(), (tasks, blank) => {
      const header = ['TYPE', 'CONTENT', 'DESCRIPTION', 'PRIORITY', 'INDENT', 'DATE', 'DATE_LANG']
      const text = csvFile([
        header,
        ...tasks.flatMap((each) => [
          [
            ...['task', [each.title, ...each.labels.map((label) => `@${label}`)].join(' '), each.note],
            ...[String(4 - each.priority), String(each.indent), each.phrase, 'en'],
          ],
          ...each.comments.map((comment) => ['note', comment, '', '', '', '', '']),
          ...(blank ? [header.map(() => '')] : []),
        ]),
      ])
      const { todos, rows } = readingOf(todoist, { kind: 'text', name: 'P.csv', text })
      expect(rows).toHaveLength(tasks.reduce((sum, { comments }) => sum + 1 + comments.length, 0))
      expect(new Set(todos.map(({ key }) => key)).size).toBe(tasks.length)
      expect(
        todos.map(({ title, tags, priority, note, repeat, parent }) => ({
          title,
          tags,
          priority,
          note,
          parent: todos.findIndex(({ key }) => key === parent),
          repeat: repeat && repeatWords(repeat),
        })),
      ).toEqual(
        tasks.map((each, place) => ({
          title: each.title,
          tags: each.labels,
          priority: each.priority,
          note: [each.note, ...each.comments].filter((piece) => piece !== '').join('\n\n'),
          parent: tasks
            .slice(0, place)
            .findLastIndex(
              ({ indent }, at) =>
                indent < each.indent && tasks.slice(at, place).every((between) => between.indent >= indent),
            ),
          repeat: phrases[each.phrase as keyof typeof phrases],
        })),
      )
    }),
    { numRuns: runs(2_000, 100) },
  )
})

test('the same file has the same keys', () => {
  const keys = () => readingOf(todoist, home).todos.map(({ key }) => key)
  expect(keys()).toEqual(keys())
})

test('a file that the browser saved a second time makes the same list and tasks', () => {
  const text = 'TYPE,CONTENT,PRIORITY,INDENT\ntask,Water,4,1\n'
  const [first, second] = ['Home [22].csv', 'Home [22] (1).csv'].map((name) =>
    readingOf(todoist, { kind: 'text', name, text }),
  )
  expect(second).toEqual(first)
})

const errands = (tasks: readonly (readonly [title: string, date: string, code: string])[]) =>
  csvFile([
    ['TYPE', 'CONTENT', 'PRIORITY', 'INDENT', 'DATE', 'DATE_LANG'],
    ...tasks.map(([title, date, code]) => ['task', title, '4', '1', date, code]),
  ])
const dated = (...tasks: Parameters<typeof errands>[0]) => {
  const { todos, rows } = readingOf(todoist, { kind: 'text', name: 'Errands.csv', text: errands(tasks) })
  return todos.map(({ title, due }) => [
    title,
    due,
    ...rows.filter((row) => row.title === title).flatMap(({ changed }) => changed),
  ])
}

test('a task that is overdue stays so where the file names no year, and that is told', () => {
  expect(
    dated(
      ['Taxes', '27 Jun', 'en'],
      ['Bank', 'Nov 20', 'en'],
      ['Fair', '3 Feb', 'en'],
      ['Old', '3 Feb 2025', 'en'],
    ),
  ).toEqual([
    ['Taxes', '2026-06-27', 'The file names no year: read as 27 June 2026'],
    ['Bank', '2026-11-20', 'The file names no year: read as 20 November 2026'],
    ['Fair', '2027-02-03', 'The file names no year: read as 3 February 2027'],
    ['Old', '2025-02-03'],
  ])
})

test('a repeat that is not of every week, and has no first day, says where it was taken to begin', () => {
  expect(
    dated(
      ['Bins', 'every other monday', 'en'],
      ['Filter', 'every 2 weeks starting 7 Dec 2026', 'en'],
      ['Pills', 'every 3 days', 'en'],
      ['Plants', 'every! 3 days', 'en'],
    ),
  ).toEqual([
    ['Bins', '2026-11-30', 'The file does not say in which week it begins: 30 November'],
    ['Filter', '2026-12-07'],
    ['Pills', '2026-11-25', 'The file does not say on which day it begins: 25 November'],
    ['Plants', '2026-11-25'],
  ])
})

test('a date that can mean two days is read as another one of the file tells, and else becomes a note as a date', () => {
  expect(dated(['A', '12/03/2026', 'en'], ['B', '11/27/2026', 'en'])).toEqual([
    ['A', '2026-12-03'],
    ['B', '2026-11-27'],
  ])
  expect(dated(['A', '12/03/2026', 'en'])).toEqual([
    ['A', undefined, 'The date "12/03/2026" can\'t be read and becomes a note'],
  ])
})

test('a file that a browser has saved a second time is the same project', () => {
  const keysIn = (name: string) => {
    const { lists, todos } = readingOf(todoist, { kind: 'text', name, text: sample('2019.csv') })
    return [...lists, ...todos].map(({ key }) => key)
  }
  expect(keysIn('Errands (1).csv')).toEqual(keysIn('Errands.csv'))
  expect(keysIn('Home [1](2).csv')).toEqual(keysIn('Home [1].csv'))
})
