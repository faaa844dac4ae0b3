import { expect, test } from 'vitest'
import { importPieceSchema } from '#features/your-data/exported-account.ts'
import versionOne from '#features/your-data/testing/version-1.json' with { type: 'json' }
import type { Day } from '#platform/calendar/day.ts'
import { countFates, fatesOf } from '../preview/fates.ts'
import { previewSchema } from '../preview/preview-requests.ts'
import type { OpenedFile, Reader, ReaderContext, Reading } from '../reading/reading.ts'
import { type ReadFile, readFile, type Unreadable } from './read-file.ts'

const day = (text: string) => text as Day
const context: ReaderContext = {
  timeZone: 'UTC',
  dayStart: 0,
  weekStart: 1,
  today: day('2026-11-20'),
  answers: {},
  now: Date.parse('2026-11-20T12:00:00Z'),
}
const text = (content: string): OpenedFile => ({ kind: 'text', name: 'file', text: content })

const reading: Reading = {
  lists: [{ key: 'Home', name: 'Home', archived: false, fromName: true }],
  todos: [
    {
      key: '1',
      list: 'Home',
      title: 'Water',
      note: '',
      priority: 2,
      tags: ['garden'],
      due: day('2026-11-21'),
    },
    { key: '2', parent: '1', title: 'Fill the can', note: '', priority: 0, tags: [] },
  ],
  habits: [
    {
      key: 'h',
      name: 'Read',
      description: '',
      start: day('2026-11-01'),
      archived: false,
      rhythms: [{ from_day: day('2026-11-01'), rhythm: { every: 1 }, target: 'yes' }],
      completions: [day('2026-11-02'), day('2026-11-05')],
      skips: [],
      notes: [],
      amounts: [
        { day: day('2026-11-03'), value: 1_000 },
        { day: day('2026-11-03'), value: 2_000 },
        { day: day('2026-11-04'), value: 0 },
      ],
    },
    {
      key: 'bad',
      name: 'Bad',
      description: '',
      start: day('2026-11-01'),
      archived: false,
      rhythms: [{ from_day: day('2026-11-01'), rhythm: { times: 9, per: 'week' }, target: 'yes' }],
      completions: [day('2026-11-02')],
      skips: [],
      notes: [],
      amounts: [],
    },
  ],
  sessions: [
    {
      key: 's',
      kind: 'total',
      duration: 60,
      days: [{ day: day('2026-11-20'), seconds: 60 }],
      todo: '1',
    },
  ],
  rows: [
    { line: 2, what: 'task', title: 'Water', becomes: '1', changed: [] },
    { line: 3, what: 'subtask', title: 'Fill the can', becomes: '2', changed: ['It was higher'] },
    { line: 4, what: 'other', title: 'A comment', changed: [], refused: 'Daymark keeps no files' },
    { line: 5, what: 'habit', title: 'Read', becomes: 'h', changed: [] },
    { line: 6, what: 'day', title: 'Read', becomes: 'h#2026-11-02', changed: [] },
    { line: 7, what: 'day', title: 'Read', becomes: 'h#2026-11-03', changed: [] },
    { line: 8, what: 'habit', title: 'Bad', becomes: 'bad', changed: [] },
    { line: 9, what: 'day', title: 'Bad', becomes: 'bad#2026-11-02', changed: [] },
    { line: 10, what: 'session', title: 'Focus', becomes: 's', changed: [] },
  ],
  notes: [],
  questions: [],
}
const reader: Reader = {
  source: 'other',
  name: 'Other',
  recognises: (file) => file.kind === 'text' && file.text === 'other',
  read: () => reading,
}

function read(file: OpenedFile, source = reader): ReadFile {
  const whole: ReadFile | Unreadable = readFile(file, context, [source])
  if ('problem' in whole) throw new Error(whole.problem)
  return whole
}

test('the same file makes the same rows, and another source others', () => {
  const ids = (file: ReadFile) => file.targets
  expect(ids(read(text('other')))).toEqual(ids(read(text('other'))))
  const another = ids(read(text('other'), { ...reader, source: 'another' }))
  expect(another.filter((id) => id !== undefined && ids(read(text('other'))).includes(id))).toEqual([])
})

test('what is sent is what the server accepts, with what belongs together', () => {
  const { pieces, previews } = read(text('other'))
  const [piece, ...more] = pieces.map((each) => importPieceSchema.parse(JSON.parse(each)))
  expect(more).toEqual([])
  const [task, subtask] = piece?.todos ?? []
  expect([task?.list_id, subtask?.parent_id]).toEqual([piece?.lists?.[0]?.id, task?.id])
  expect(subtask?.list_id).toBe(task?.list_id)
  expect((task?.position ?? '') < (subtask?.position ?? '')).toBe(true)
  expect(piece?.habits?.map(({ name }) => name)).toEqual(['Read'])
  expect(piece?.amounts?.[0]?.days.map(({ value, set }) => [value, set])).toEqual([
    [1_000, false],
    [2_000, false],
    [0, true],
  ])
  expect(piece?.focus_sessions).toMatchObject([
    { kind: 'total', started_at: null, todo_id: task?.id, days: [{ day: '2026-11-20' }] },
  ])
  expect(previews.map((each) => previewSchema.parse(JSON.parse(each)))).toHaveLength(1)
})

test('each row is created, there, changed or refused, and all of them are counted', () => {
  const { reading, targets } = read(text('other'))
  const [task, , , habit, firstDay, ...others] = targets
  const all = new Set(targets.filter((id) => id !== undefined))
  const fates = (isNew: ReadonlySet<string>) => fatesOf({ rows: reading.rows, targets }, isNew)
  expect(countFates(fates(all))).toEqual({ in: 9, created: 5, there: 0, changed: 1, refused: 3 })
  const some = all.difference(new Set([task, habit, firstDay]))
  expect(countFates(fates(some))).toEqual({ in: 9, created: 2, there: 3, changed: 1, refused: 3 })
  expect(countFates(fates(new Set()))).toEqual({ in: 9, created: 0, there: 6, changed: 0, refused: 3 })
  expect(others).toHaveLength(4)
  expect(reading.rows[6]?.refused).toBe("Daymark can't keep it: Expected at most 7 times a week")
  expect(reading.rows[7]?.refused).toBe(reading.rows[6]?.refused)
})

test('a zip file of one file that is read on its own is read like that file', () => {
  const zipped = (files: Record<string, string>): OpenedFile => ({
    kind: 'zip',
    name: 'packed.zip',
    others: ['photo.png'],
    files: Object.entries(files).map(([path, text]) => ({ path, text })),
  })
  const whole = read(zipped({ 'folder/a.csv': 'other', 'folder/readme.txt': 'Hello' }))
  expect(whole.targets).toEqual(read(text('other')).targets)
  expect(whole.reading.notes).toEqual(['Not read of the zip file: folder/readme.txt, photo.png.'])
  expect(read(zipped({ 'a.json': JSON.stringify(versionOne) })).source).toBe('daymark')
  expect(readFile(zipped({ 'a.csv': 'other', 'b.csv': 'other' }), context, [reader])).toEqual({
    problem: 'This zip file has several files to import: a.csv, b.csv. Unpack it, and import each.',
  })
  expect(readFile(zipped({ 'a.csv': 'x' }), context, [reader])).toMatchObject({ problem: expect.any(String) })
})

test("a file of Daymark's own brings its rows as they are, however old it is", () => {
  const whole = read(text(JSON.stringify(versionOne)))
  expect(whole).toMatchObject({ source: 'daymark', sourceName: 'Daymark file' })
  expect(whole.own?.account).toEqual(versionOne.account)
  const sent = whole.pieces.map((piece) => importPieceSchema.parse(JSON.parse(piece)))
  expect(sent.flatMap(({ todos = [] }) => todos.map(({ id }) => id))).toEqual(
    versionOne.todos.map(({ id }) => id),
  )
  expect(whole.targets).toEqual(whole.reading.rows.map(({ becomes }) => becomes))
  expect(whole.reading.rows.filter(({ what }) => what === 'day').length).toBeGreaterThan(0)
})

test('each row of a Daymark file, and each day of a habit, is a line of its own before it is imported', () => {
  const pause = {
    id: '01900000-0000-7000-8000-000000000001',
    habit_id: null,
    from_day: '2026-12-24',
    to_day: null,
    created_at: '2026-11-20T12:00:00.000Z',
    updated_at: '2026-11-20T12:00:00.000Z',
  }
  const { reading, previews, toShow } = read(text(JSON.stringify({ ...versionOne, pauses: [pause] })))
  expect(reading.rows.map(({ line, what, title }) => `${line} ${what}: ${title}`)).toEqual([
    '1 task: Water the plants',
    '2 task: Choose a colour for the hall',
    '3 task: Book the train to Aarhus',
    '4 habit: Read',
    '5 day: Read, 2026-11-18',
    '6 day: Read, 2026-11-19',
    '7 other: Pause from 2026-12-24',
    '8 session: Focus on 2026-11-19',
  ])
  const asked = previews.map((each) => Object.keys(JSON.parse(each)))
  expect(asked).toEqual([['todos', 'habits', 'completions', 'pauses', 'focus_sessions']])
  expect(toShow.todos.map(({ id }) => id)).toEqual(versionOne.todos.map(({ id }) => id))
  expect(toShow.habits).toMatchObject([{ doneDays: 2, lastDay: '2026-11-19', rhythm: { every: 1 } }])
})

test.each([
  [
    '{"format":"daymark","version":2,"todos":[',
    'This file is incomplete: its end is missing. Download it again.',
  ],
  ['{"projects":[{"name":', 'This file is damaged or cut short. Export it again.'],
  ['{"a":1}', 'Daymark does not know what this file is. If it is a table, save it as CSV.'],
])('%s is answered with a sentence', (content, problem) => {
  expect(readFile(text(content), context, [reader])).toMatchObject({ problem })
})

test('a file with far more in it than an account can have is refused before it is read', () => {
  const unread: Reader = {
    source: 'other',
    name: 'Other',
    mostLines: 3,
    recognises: () => true,
    read: () => {
      throw new Error('It was read')
    },
  }
  const refused = (content: string) => readFile(text(content), context, [unread])
  expect(refused('task\n'.repeat(4))).toEqual({
    problem: 'This file has more than 3 lines.',
    source: 'other',
  })
  expect(() => refused('task\n'.repeat(3))).toThrow('It was read')
  const tasks = `[${'{},'.repeat(750_000)}{}]`
  const problem = 'This file has more than 750,000 entries.'
  expect(refused(tasks)).toEqual({ problem })
  const zip: OpenedFile = {
    kind: 'zip',
    name: 'file',
    others: [],
    files: [{ path: 'a.json', text: tasks }],
  }
  expect(readFile(zip, context, [unread])).toEqual({ problem })
})
