import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OpenedFile, ReaderContext, Reading } from '#features/imports/reading/reading.ts'
import { addDays, type Day } from '#platform/calendar/day.ts'
import { runs } from '#testing/runs.ts'
import { habitica } from './habitica.ts'

const context: ReaderContext = {
  timeZone: 'Europe/Berlin',
  dayStart: 0,
  weekStart: 1,
  today: '2026-11-25' as Day,
  now: Date.UTC(2026, 10, 25, 12),
  answers: {},
}
const textOf = (name: string): OpenedFile => ({
  kind: 'text',
  name,
  text: readFileSync(fileURLToPath(new URL(`../samples/habitica/${name}`, import.meta.url)), 'utf8'),
})

function reading(file: OpenedFile): Reading {
  expect(habitica.recognises(file)).toBe(true)
  const read = habitica.read(file, context)
  if ('problem' in read) throw new Error(read.problem)
  return read
}
const habit = (read: Reading, name: string) => read.habits.find((each) => each.name === name)
const reasons = (read: Reading, title: string) => read.rows.find((row) => row.title === title)?.changed

describe('userdata.json', () => {
  const read = reading(textOf('userdata.json'))

  test('a daily is done where its history says so, on the day that ends when the person chose', () => {
    expect(habit(read, 'Stretch')).toMatchObject({
      rhythms: [{ rhythm: { weekdays: [1, 3, 5] }, target: 'yes' }],
      // The second was ticked at 02:30, and the day of this person ends at 4.
      completions: ['2026-11-02', '2026-11-04'],
      description: '- Arms',
      reminder: { time: 7 * 60 + 30, weekdays: [1, 2, 3, 4, 5, 6, 7] },
    })
    expect(reasons(read, 'Stretch')).toEqual(['Its checklist becomes part of the description'])
    expect(read.rows.filter(({ refused }) => refused).map(({ refused }) => refused)).toContain(
      'This day has not come yet',
    )
  })

  test('without `completed`, a rise of the score is a tick', () => {
    expect(habit(read, 'Bins')?.completions).toEqual(['2026-11-04'])
  })

  test('each rhythm is kept, or told', () => {
    // The first Tuesday from 1 November on.
    expect(habit(read, 'Bins')?.rhythms).toEqual([
      { from_day: '2026-11-03', rhythm: { every: 14 }, target: 'yes' },
    ])
    expect(reasons(read, 'Bins')).toEqual([])
    expect(habit(read, 'Accounts')?.rhythms[0]?.rhythm).toEqual({ times: 2, per: 'month' })
    expect(reasons(read, 'Accounts')).toHaveLength(1)
    expect(habit(read, 'Every third day')?.rhythms[0]?.rhythm).toEqual({ every: 3 })
  })

  test('presses of a habit are counted, and one to avoid has a limit', () => {
    // 3 presses, and one more in an entry of its own.
    expect(habit(read, 'Water')?.amounts.map(({ value }) => value)).toEqual([1_000, 4_000])
    expect(habit(read, 'Biting nails')).toMatchObject({
      rhythms: [{ target: { at: 'most', amount: 0 } }],
      amounts: [{ value: 2_000 }],
    })
  })

  test('to-dos come with their tags, checklist, due date and reminder', () => {
    expect(read.todos.map(({ title }) => title)).toEqual(['Renew the card', 'Find it', 'Pay', 'Call home'])
    expect(read.todos[0]).toMatchObject({
      tags: ['errands'],
      due: '2026-12-04',
      reminder: { days_before: 0, time: 540 },
      note: 'At the library',
    })
    expect(read.todos.map(({ completed }) => completed?.on)).toEqual([
      ...[undefined, '2026-11-20', undefined, '2026-11-20'],
    ])
  })

  test('rewards are refused, and every row has one fate', () => {
    expect(read.rows.find(({ title }) => title === 'An ice cream')?.refused).toBe('Daymark has no rewards')
    for (const { becomes, refused } of read.rows)
      expect((becomes === undefined) === (refused !== undefined)).toBe(true)
    expect(read.rows.map(({ line }) => line)).toEqual(read.rows.map((_, place) => place + 1))
  })
})

test('history.csv has days where the score rose, by the wall clock', () => {
  const read = reading(textOf('history.csv'))
  expect(habit(read, 'Stretch')?.completions).toEqual(['2026-11-02', '2026-11-04'])
  expect(habit(read, 'Water')?.amounts).toEqual([{ day: '2026-11-02', value: 1_000 }])
  expect(read.rows.some(({ refused }) => refused === 'It has no date that can be read')).toBe(true)
})

test('a damaged entry of a history takes none of the others with it', () => {
  const history = [null, { date: '2026-11-20T10:00:00.000Z', value: 1, completed: true }, 'x']
  const dailys = [{ _id: 'd', text: 'Read', frequency: 'daily', startDate: '2026-11-01', history }]
  const text = JSON.stringify({ tasks: { dailys, habits: [], todos: [], rewards: [] }, tags: [] })
  expect(habit(reading({ kind: 'text', name: 'userdata.json', text }), 'Read')?.completions).toEqual([
    '2026-11-20',
  ])
})

test('other JSON is not Habitica’s', () => {
  for (const text of ['{"tasks":{"todos":[]}}', '{"tasks":[]}', '[]', '{', 'Task Name,Date\n']) {
    expect(habitica.recognises({ kind: 'text', name: 'userdata.json', text })).toBe(false)
  }
})

test('whatever Habitica writes of dailies is read back, day by day', () => {
  const dailies = fc.array(
    fc.record({
      text: fc.string({ minLength: 1, maxLength: 10 }),
      everyX: fc.integer({ min: 1, max: 30 }),
      days: fc.uniqueArray(fc.record({ back: fc.nat(3_000), completed: fc.boolean() }), {
        selector: ({ back }) => back,
        maxLength: 40,
      }),
      tellsCompleted: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  )
  fc.assert(
    fc.property(dailies, fc.integer({ min: 0, max: 23 }), (account, hour) => {
      const dayBack = (back: number) => addDays(context.today, -1 - back)
      const dailys = account.map(({ text, everyX, days, tellsCompleted }, place) => {
        let value = 0
        const history = days
          .toSorted((a, b) => b.back - a.back)
          .map(({ back, completed }) => {
            value += completed ? 1 : -0.5
            const date = Temporal.PlainDate.from(dayBack(back)).toZonedDateTime({
              timeZone: 'Europe/Berlin',
              plainTime: { hour },
            }).epochMilliseconds
            return tellsCompleted ? { date, value, isDue: true, completed } : { date, value }
          })
        return {
          _id: `d${place}`,
          type: 'daily',
          text,
          frequency: 'daily',
          everyX,
          startDate: '2026-11-25',
          history,
        }
      })
      const text = JSON.stringify({
        preferences: { dayStart: 0 },
        tags: [],
        tasks: { dailys, habits: [], todos: [], rewards: [] },
      })
      const read = reading({ kind: 'text', name: 'userdata.json', text })
      expect(
        read.habits.map(({ name, rhythms, completions }) => [name, rhythms[0]?.rhythm, completions]),
      ).toEqual(
        account.map(({ text, everyX, days }) => [
          ...[text, { every: everyX }],
          days.flatMap(({ back, completed }) => (completed ? [dayBack(back)] : [])).sort(),
        ]),
      )
    }),
    { numRuns: runs(3_000, 100) },
  )
})
