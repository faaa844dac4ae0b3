import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '#platform/calendar/day.ts'
import { runs } from '#testing/runs.ts'
import type { Reading } from '../reading/reading.ts'
import { readerContext } from '../testing/read.ts'
import { sampleFile, textFile, wholeReadingOf } from '../testing/read-sample.ts'
import { plainCsv } from './plain-csv.ts'

const rowOf = (read: Reading, title: string) => read.rows.find((row) => row.title === title)
const assumedOf = (read: Reading) =>
  Object.fromEntries(read.questions.flatMap(({ id, assumed }) => (assumed ? [[id, assumed]] : [])))

describe('a table of tasks', () => {
  const read = wholeReadingOf(plainCsv, sampleFile('csv/tasks.csv'))
  const todo = (title: string) => read.todos.find((each) => each.title === title)

  test('assumes what the names of its columns say, and asks for each', () => {
    expect(assumedOf(read)).toEqual({
      rows: 'A task',
      title: 'Task Name',
      note: 'Notes',
      list: 'Project',
      parent: 'Parent Task',
      tags: 'Tags',
      priority: 'Priority',
      due: 'Due Date',
      estimate: 'Time Estimate',
      done: 'Status',
      'done-at': 'Completed At',
    })
    expect(read.questions.find(({ id }) => id === 'created')).toEqual({
      id: 'created',
      ask: 'When it was made',
      kind: 'column',
      examples: [],
      options: [
        ...['Task Name', 'Project', 'Status', 'Due Date', 'Tags', 'Priority', 'Notes', 'Completed At'],
        ...['Parent Task', 'Owner', 'Time Estimate'],
      ],
    })
    expect(read.notes).toEqual(['The column "Owner" isn\'t read.'])
  })

  test('brings lists, notes, tags, priorities, days, estimates and subtasks', () => {
    expect(read.lists).toEqual([{ key: '["list","Work"]', name: 'Work', archived: false, fromName: true }])
    expect(todo('Write the report')).toMatchObject({
      list: '["list","Work"]',
      note: 'Two pages\nand a picture',
      tags: ['deep', 'work'],
      priority: 3,
      due: '2026-11-20',
      estimate: 90,
    })
    expect(rowOf(read, 'Write the report')?.changed).toEqual(['It was “In Progress”, and comes as open'])
    expect(todo('Ask Ida')).toMatchObject({
      parent: todo('Write the report')?.key,
      priority: 1,
      estimate: 15,
    })
    expect(rowOf(read, 'Ask Ida')?.what).toBe('subtask')
    expect(rowOf(read, 'Alone')?.changed).toEqual(['“Missing”, which it is a subtask of, is not in the file'])
  })

  test('brings when it was done, by the clock of the person', () => {
    expect(todo('Bins')).toMatchObject({
      due: '2026-11-19',
      tags: ['home', 'weekly'],
      completed: { at: Date.parse('2026-11-20T20:15:00Z'), on: '2026-11-20' },
    })
  })

  test('does not guess what a number, a word or a date means', () => {
    expect(todo('Old idea')?.completed).toBeDefined()
    expect(rowOf(read, 'Old idea')?.changed).toEqual(
      ['The priority “4” is not read', 'It was “cancelled”, and comes as done'].toReversed(),
    )
    expect(todo('=SUM(A1)')).toMatchObject({ note: 'Due: soon' })
    expect(rowOf(read, '=SUM(A1)')?.changed).toEqual(['The date "soon" can\'t be read and becomes a note'])
  })

  test('takes away the apostrophe that keeps a spreadsheet from running a text', () => {
    expect(todo('-1 °C')?.completed).toBeDefined()
  })

  test('has each row once, but for blank ones', () => {
    expect(read.rows.map(({ line }) => line)).toEqual([2, 4, 5, 6, 7, 8, 9, 10])
    expect(read.rows[6]).toMatchObject({ refused: 'It has no title' })
  })
})

test('reads a repeat that is a rule of calendars or a phrase, and keeps any other as a note', () => {
  const rows = [
    'a,2026-11-27,FREQ=MONTHLY;BYMONTHDAY=27',
    'b,every friday,',
    'c,2026-11-27,every second blue moon',
  ]
  const read = wholeReadingOf(plainCsv, textFile(['Title,Due,Repeat', ...rows].join('\n')))
  expect(read.todos).toMatchObject([
    { due: '2026-11-27', repeat: { freq: 'month', days: [27], from: '2026-11-27' } },
    { due: '2026-11-27', repeat: { freq: 'week', weekdays: [5] } },
    { due: '2026-11-27', note: 'every second blue moon' },
  ])
  expect(read.rows.map(({ changed }) => changed)).toEqual([
    [],
    [],
    ['The repeat "every second blue moon" becomes a note'],
  ])
})

test('columns that the person chose win, and none is none', () => {
  const read = wholeReadingOf(plainCsv, textFile('A,B,Due\nx,y,2026-11-30\n'), {
    answers: { title: 'B', note: 'A', due: '' },
  })
  expect(read.todos).toMatchObject([{ title: 'y', note: 'x' }])
  expect(read.todos[0]?.due).toBeUndefined()
})

test('without a column for the title, no row comes', () => {
  const read = wholeReadingOf(plainCsv, textFile('A,B\nx,y\n'))
  expect(read.rows).toEqual([
    { line: 2, what: 'other', title: 'x', changed: [], refused: 'No column is chosen for “Title”' },
  ])
})

test('a single column needs a name that says what it is', () => {
  expect(wholeReadingOf(plainCsv, textFile('Title\nBuy milk\nCall, maybe\n')).todos).toHaveLength(2)
  expect(plainCsv.recognises(textFile('Dear Ida\nHow are you?\n'))).toBe(false)
})

test.each(['{"a":1}', 'BEGIN:VCALENDAR\nEND:VCALENDAR', '<html>', '', 'title\n'])(
  '%j is no table',
  (text) => {
    expect(plainCsv.recognises(textFile(text))).toBe(false)
  },
)

describe('a table of days', () => {
  const read = wholeReadingOf(plainCsv, sampleFile('csv/habitify.csv'))

  test('brings done days, amounts and skips of each habit', () => {
    expect(read.habits).toMatchObject([
      {
        name: 'Run',
        start: '2026-11-20',
        completions: [],
        skips: ['2026-11-22'],
        amounts: [
          { day: '2026-11-20', value: 5_500 },
          { day: '2026-11-21', value: 0 },
        ],
        rhythms: [{ rhythm: { every: 1 }, target: { at: 'least', amount: 1_000, unit: 'km', per: 'day' } }],
      },
      { name: 'Stretch', completions: ['2026-11-20'], amounts: [] },
    ])
  })

  test('says of each other row why it does not come', () => {
    expect(read.rows.flatMap(({ refused }) => refused ?? [])).toEqual([
      '“Perhaps” says neither done nor not',
      "This day hasn't come yet",
      'It names no habit',
      '“someday” is no day',
    ])
    expect(read.notes).toEqual([
      'A table of days does not say how often a habit is to be done: all become daily.',
      'The column "Habit ID" isn\'t read.',
    ])
  })
})

describe('a table of times', () => {
  test('brings sessions, by their own columns for day and time', () => {
    const read = wholeReadingOf(plainCsv, sampleFile('csv/clockify.csv'))
    expect(read.sessions).toMatchObject([
      { kind: 'hand', start: Date.parse('2026-11-20T08:00:00Z'), duration: 5_400 },
      {
        kind: 'hand',
        duration: 1_200,
        days: [
          { day: '2026-11-03', seconds: 600 },
          { day: '2026-11-04', seconds: 600 },
        ],
      },
    ])
    expect(read.notes).toContain('The columns "Project", "Description", "Duration (decimal)" aren\'t read.')
  })

  test('a day without a time is a total, of which nobody knows when it began', () => {
    const read = wholeReadingOf(
      plainCsv,
      textFile('Day,Minutes,Task\n2026-11-20,90,Tax\n2026-11-21,2000,Tax\n'),
      {
        answers: { rows: 'A focus session', 'of-task': 'Task' },
      },
    )
    expect(read.sessions).toMatchObject([
      { kind: 'total', duration: 5_400, days: [{ day: '2026-11-20', seconds: 5_400 }] },
    ])
    expect(read.sessions[0]?.todo).toBe(read.todos[0]?.key)
    expect(read.rows[1]?.refused).toBe('A day has 24 hours')
  })

  test('asks for the order of dates only where it matters', () => {
    const text = 'Start,End,Duration\n03/04/2026 09:00,03/04/2026 10:00,60\n'
    const asked = wholeReadingOf(plainCsv, textFile(text))
    expect(asked.questions.at(-1)).toMatchObject({
      id: 'order',
      examples: ['03/04/2026 09:00', '03/04/2026 10:00'],
    })
    expect(asked.rows[0]?.refused).toBe('“03/04/2026 09:00” is no time')
    const told = wholeReadingOf(plainCsv, textFile(text), { answers: { order: 'Day first' } })
    expect(told.sessions[0]?.days).toEqual([{ day: '2026-04-03', seconds: 3_600 }])
  })
})

test('whatever tasks are written as a table are read back, whatever its columns are called', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'Z', '"', ';', 'ü', '\n', '/'),
    minLength: 1,
    maxLength: 8,
  })
  const text = word.map((each) => `t${each}t`)
  const task = fc.record({
    title: text,
    note: fc.option(text, { nil: '' }),
    list: fc.option(text, { nil: '' }),
    priority: fc.constantFrom<0 | 1 | 2 | 3>(0, 1, 2, 3),
    due: fc.option(fc.integer({ min: -900, max: 900 }).map((days) => addDays(readerContext.today, days))),
    done: fc.boolean(),
  })
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
  fc.assert(
    fc.property(
      fc.array(task, { minLength: 1, maxLength: 20 }),
      fc.constantFrom(',', ';', '\t'),
      (tasks, separator) => {
        const columns = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6']
        const rows = tasks.map(({ title, note, list, priority, due, done }) => [
          ...[title, note, list, ['none', 'low', 'medium', 'high'][priority] ?? ''],
          ...[due ?? '', done ? 'yes' : 'no'],
        ])
        const file = [columns, ...rows].map((cells) => cells.map(quoted).join(separator)).join('\r\n')
        const answers = { title: 'c1', note: 'c2', list: 'c3', priority: 'c4', due: 'c5', done: 'c6' }
        const read = wholeReadingOf(plainCsv, textFile(file), { answers })
        const names = new Map(read.lists.map(({ key, name }) => [key, name]))
        expect(
          read.todos.map(({ title, note, list, priority, due, completed }) => ({
            title,
            note,
            list: names.get(list ?? '') ?? '',
            priority,
            due: due ?? null,
            done: completed !== undefined,
          })),
        ).toEqual(tasks)
        expect(new Set(read.todos.map(({ key }) => key)).size).toBe(tasks.length)
      },
    ),
    { numRuns: runs(2_000, 100) },
  )
})
