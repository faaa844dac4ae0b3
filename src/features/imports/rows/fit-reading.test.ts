import { describe, expect, test } from 'vitest'
import type { Day } from '#platform/calendar/day.ts'
import type { ReadHabit, Reading, ReadRow, ReadTodo } from '../reading/reading.ts'
import { fitReading } from './fit-reading.ts'

const day = (text: string) => text as Day
const time = { today: day('2026-11-20'), now: Date.parse('2026-11-20T12:00:00Z') }

const todo = (key: string, given: Partial<ReadTodo> = {}): ReadTodo => ({
  key,
  title: key,
  note: '',
  priority: 0,
  tags: [],
  ...given,
})
const habit = (given: Partial<ReadHabit> = {}): ReadHabit => ({
  key: 'h',
  name: 'Read',
  description: '',
  start: day('2026-11-01'),
  archived: false,
  rhythms: [],
  completions: [],
  skips: [],
  notes: [],
  amounts: [],
  ...given,
})
const row = (becomes: string, what: ReadRow['what'] = 'task'): ReadRow => ({
  line: 1,
  what,
  title: becomes,
  becomes,
  changed: [],
})

function fitted(given: Partial<Reading>): Reading {
  const empty = { lists: [], todos: [], habits: [], sessions: [], rows: [], notes: [], questions: [] }
  const whole = fitReading({ ...empty, ...given }, time)
  if ('problem' in whole) throw new Error(whole.problem)
  return whole
}

const todosOf = (...todos: ReadTodo[]) => fitted({ todos, rows: todos.map(({ key }) => row(key)) })

describe('what is too long or too much', () => {
  test('a title is cut, and the whole of it goes into the note', () => {
    const title = 'a'.repeat(501)
    const { todos, rows } = todosOf(todo('1', { title, note: 'b' }))
    expect(todos[0]).toMatchObject({ title: 'a'.repeat(500), note: `${title}\n\nb` })
    expect(rows[0]?.changed).toEqual(['The title is cut at 500 letters; the whole of it is in the note'])
  })

  test('no cut divides a character', () => {
    const [cut] = todosOf(todo('1', { title: `${'a'.repeat(499)}😀b` })).todos
    expect(cut?.title).toBe('a'.repeat(499))
    expect(cut?.note.isWellFormed()).toBe(true)
  })

  test('notes, estimates and tags are cut, and each is told', () => {
    const tags = [...Array.from({ length: 50 }, (_, nth) => `tag ${nth}`), 'x'.repeat(51)]
    const { todos, rows } = todosOf(todo('1', { note: 'n'.repeat(10_001), estimate: 6_000, tags }))
    expect(todos[0]).toMatchObject({ note: 'n'.repeat(10_000), estimate: 5_999 })
    expect(todos[0]?.tags).toHaveLength(50)
    expect(rows[0]?.changed).toHaveLength(4)
  })

  test('characters that cannot be stored are left out', () => {
    expect(todosOf(todo('1', { title: 'a\0\n b', note: '\uD800x\0' })).todos[0]).toMatchObject({
      title: 'a b',
      note: '\uFFFDx',
    })
  })

  test.each([
    [
      'lists',
      { lists: Array.from({ length: 10_000 }, (_, nth) => ({ key: `${nth}`, name: 'x', archived: false })) },
      'This file has 10,000 lists. An account can have up to 1,000.',
    ],
    [
      'habits',
      { habits: Array.from({ length: 1_001 }, (_, nth) => habit({ key: `${nth}` })) },
      'This file has 1,001 habits. An account can have up to 1,000.',
    ],
  ])('more %s than an account can have is a sentence', (_, given, problem) => {
    const empty = { lists: [], todos: [], habits: [], sessions: [], rows: [], notes: [], questions: [] }
    expect(fitReading({ ...empty, ...given }, time)).toEqual({ problem })
  })
})

describe('subtasks', () => {
  test('stand under the task at the top, however deep they were, and in its list', () => {
    const { todos, rows } = todosOf(
      todo('c', { parent: 'b' }),
      todo('b', { parent: 'a', list: 'other' }),
      todo('a', { list: 'home' }),
    )
    expect(todos.map(({ key, parent, list }) => [key, parent, list])).toEqual([
      ['a', undefined, 'home'],
      ['c', 'a', 'home'],
      ['b', 'a', 'home'],
    ])
    expect(rows.map(({ changed }) => changed.length)).toEqual([1, 0, 0])
  })

  test('whose parents are missing, or form a circle, stand alone', () => {
    const { todos, rows } = todosOf(
      todo('a', { parent: 'b' }),
      todo('b', { parent: 'a' }),
      todo('c', { parent: 'gone' }),
      todo('d', { parent: 'd' }),
    )
    expect(todos.map(({ parent }) => parent)).toEqual([undefined, undefined, undefined, undefined])
    expect(rows.every(({ changed }) => changed.length === 1)).toBe(true)
  })
})

describe('what cannot be', () => {
  const daily = { freq: 'day', every: 1, mode: 'due', from: day('2026-11-01') } as const

  test('a task that is done does not repeat, nor does a subtask', () => {
    const completed = { at: time.now + 5_000, on: day('2026-11-21') }
    const { todos, rows } = todosOf(
      todo('a', { repeat: daily, completed }),
      todo('b'),
      todo('c', { parent: 'b', repeat: daily }),
      todo('d', { repeat: daily }),
    )
    expect(todos.map(({ key, repeat, due }) => [key, repeat !== undefined, due])).toEqual([
      ['a', false, undefined],
      ['b', false, undefined],
      ['d', true, '2026-11-01'],
      ['c', false, undefined],
    ])
    expect(todos[0]?.completed).toEqual({ at: time.now, on: time.today })
    expect(rows.map(({ changed }) => changed.length)).toEqual([1, 0, 1, 0])
  })

  test('days of a habit are not in the future, and its start is not after them', () => {
    const days = [day('2026-11-21'), day('2026-10-30'), day('2026-10-30')]
    const { habits, rows } = fitted({
      habits: [habit({ completions: days, skips: [day('2026-10-30'), day('2026-11-03')] })],
      rows: [row('h', 'habit'), row('h#2026-11-21', 'day'), row('h#2026-10-30', 'day')],
    })
    expect(habits[0]).toMatchObject({
      start: '2026-10-30',
      completions: ['2026-10-30'],
      skips: ['2026-11-03'],
    })
    expect(rows.map(({ refused }) => refused)).toEqual([undefined, 'This day is in the future', undefined])
  })

  test('only the first of several rows that become one thing tells why it comes changed', () => {
    const { rows } = fitted({ todos: [todo('a', { title: '' })], rows: [row('a'), row('a', 'other')] })
    expect(rows.map(({ changed }) => changed)).toEqual([['It has no title, and is called "Untitled"'], []])
  })
})

test('a habit with too long a unit, or too much on one day, comes with what Daymark holds', () => {
  const target = { at: 'least', amount: 5e9, unit: 'u'.repeat(60), per: 'day' } as const
  const { habits, rows } = fitted({
    habits: [
      habit({
        rhythms: [{ from_day: day('2026-11-01'), rhythm: { every: 1 }, target }],
        amounts: [{ day: day('2026-11-02'), value: 5e9 }],
      }),
    ],
    rows: [row(habit().key, 'habit'), row(`${habit().key}#2026-11-02`, 'day')],
  })
  expect(habits[0]?.rhythms[0]?.target).toEqual({ ...target, amount: 1e9, unit: 'u'.repeat(50) })
  expect(habits[0]?.amounts).toEqual([{ day: '2026-11-02', value: 1e9 }])
  expect(rows.map(({ changed }) => changed.length)).toEqual([2, 1])
})
