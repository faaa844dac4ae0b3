import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readerContext } from '#features/imports/testing/read.ts'
import { sampleFile, textFile, wholeReadingOf } from '#features/imports/testing/read-sample.ts'
import { addDays, type Day, daysFrom } from '#platform/calendar/day.ts'
import { runs } from '#testing/runs.ts'
import { habitKit } from './habitkit.ts'

describe('an export', () => {
  const read = wholeReadingOf(habitKit, sampleFile('habitkit/export.json'))
  const habit = (name: string) => read.habits.find((each) => each.name === name)
  const rowOf = (title: string) => read.rows.find((row) => row.title === title)

  test('reads each day by its instant and its offset, wherever the person is now', () => {
    expect(habit('Reading')).toMatchObject({
      description: 'pages',
      archived: false,
      start: '2026-11-15',
      completions: ['2026-11-16', '2026-11-17'],
      notes: [{ day: '2026-11-16', note: 'In the train' }],
    })
    const elsewhere = wholeReadingOf(habitKit, sampleFile('habitkit/export.json'), {
      timeZone: 'Pacific/Auckland',
    })
    expect(elsewhere.habits.map(({ completions, amounts }) => [completions, amounts.slice(1)])).toEqual(
      read.habits.map(({ completions, amounts }) => [completions, amounts.slice(1)]),
    )
  })

  test('keeps the order of the person', () => {
    expect(read.habits.map(({ name }) => name)).toEqual(['No snacks', 'Reading', 'Gym', 'Water'])
  })

  test('a goal that changed becomes the history of the rhythm, from the day that it held on', () => {
    expect(habit('Water')).toMatchObject({
      rhythms: [
        {
          from_day: '2026-11-01',
          rhythm: { every: 1 },
          target: { at: 'least', amount: 1_000, unit: 'times', per: 'day' },
        },
        {
          from_day: '2026-11-15',
          rhythm: { times: 20, per: 'month' },
          target: { at: 'least', amount: 2_000, unit: 'times', per: 'day' },
        },
      ],
      amounts: [
        { day: '2026-11-10', value: 1_000 },
        { day: '2026-11-16', value: 3_000 },
      ],
    })
  })

  test('a goal beyond what a week has is told', () => {
    expect(habit('Gym')).toMatchObject({
      archived: true,
      completions: ['2026-11-12'],
      rhythms: [{ rhythm: { times: 7, per: 'week' }, target: 'yes' }],
      reminder: { time: 425, weekdays: [1, 7] },
    })
    expect(rowOf('The goal of Gym')?.changed).toEqual(['9 times a week become 7'])
  })

  test('a habit to avoid becomes a limit, kept from its first day', () => {
    expect(habit('No snacks')).toMatchObject({
      rhythms: [{ target: { at: 'most', amount: 0, unit: 'times', per: 'day' } }],
      amounts: [
        { day: '2026-11-10', value: 0 },
        { day: '2026-11-15', value: 1_000 },
      ],
    })
  })

  test('a second reminder at the same time adds its weekdays, one at another time cannot come', () => {
    expect(habit('Reading')?.reminder).toEqual({ time: 1_170, weekdays: [1, 2, 3, 7] })
    const refused = read.rows.filter(({ title, refused }) => title.startsWith('The reminder') && refused)
    expect(refused.map(({ refused }) => refused)).toEqual([
      'A habit has one reminder, at the same time on all of its days',
      'It names no time or no weekday',
    ])
  })

  test('each row of the file is told once, and how many days were not done', () => {
    expect(read.rows).toHaveLength(6 + (12 - 1) + 6 + 1 + 1 + 5)
    expect(rowOf('Reading, 2026-11-18')).toBeUndefined()
    expect(read.rows.filter(({ what }) => what === 'day').flatMap(({ refused }) => refused ?? [])).toEqual([
      'Its habit is not in the file',
      '“yesterday” is no day',
      "This day hasn't come yet",
    ])
    expect(read.rows.flatMap(({ changed }) => changed)).toContain(
      'The day is done already: this habit is ticked once a day',
    )
    expect(read.notes).toEqual([
      'The columns "icon", "color", "emoji" aren\'t read.',
      'Not counted as rows: 1 day on which nothing was done.',
    ])
  })
})

test('whatever is written as an export is read back', () => {
  const today = readerContext.today
  const day = fc.integer({ min: 0, max: 1_500 }).map((back) => addDays(today, -back))
  const habit = fc.record({
    offset: fc.constantFrom(-480, -210, 0, 60, 345, 780),
    times: fc.integer({ min: 1, max: 5 }),
    done: fc.uniqueArray(fc.record({ day, amount: fc.integer({ min: 1, max: 9 }), hour: fc.nat(23) }), {
      selector: (each) => each.day,
      maxLength: 40,
    }),
  })
  fc.assert(
    fc.property(fc.array(habit, { minLength: 1, maxLength: 6 }), (all) => {
      const text = JSON.stringify({
        habits: all.map((_, nth) => ({
          id: `h${nth}`,
          name: `Habit ${nth}`,
          archived: nth % 2 === 1,
          isInverse: false,
          orderIndex: nth,
          createdAt: `${today}T00:00:00.000Z`,
        })),
        completions: all.flatMap(({ offset, done }, nth) =>
          done.map((each) => ({
            habitId: `h${nth}`,
            timezoneOffsetInMinutes: offset,
            amountOfCompletions: each.amount,
            date: new Date(Date.parse(`${each.day}T00:00:00Z`) + each.hour * 3_600_000 - offset * 60_000),
          })),
        ),
        intervals: all.map(({ times }, nth) => ({
          habitId: `h${nth}`,
          startDate: '2020-01-01T00:00:00.000Z',
          type: 'day',
          requiredNumberOfCompletionsPerDay: times,
        })),
      })
      const read = wholeReadingOf(habitKit, textFile(text))
      expect(read.habits).toHaveLength(all.length)
      for (const [nth, { times, done }] of all.entries()) {
        const got = read.habits[nth]
        const sorted = done.toSorted((one, other) => (one.day < other.day ? -1 : 1))
        const isCounted = times > 1 || done.some(({ amount }) => amount > 1)
        expect(got?.archived).toBe(nth % 2 === 1)
        expect(got?.completions).toEqual(isCounted ? [] : sorted.map((each) => each.day))
        expect(got?.amounts).toEqual(
          isCounted ? sorted.map((each) => ({ day: each.day, value: 1_000 * each.amount })) : [],
        )
      }
      expect(read.rows.every(({ refused, changed }) => !refused && changed.length === 0)).toBe(true)
    }),
    { numRuns: runs(2_000, 100) },
  )
})

test('twenty habits of five years are read in one go', () => {
  const days = daysFrom('2021-11-26' as Day, readerContext.today)
  const habits = Array.from({ length: 20 }, (_, nth) => ({ id: `h${nth}`, name: `${nth}`, isInverse: false }))
  const completions = habits.flatMap(({ id }) =>
    days.map((day) => ({
      habitId: id,
      date: `${day}T12:00:00Z`,
      timezoneOffsetInMinutes: 60,
      amountOfCompletions: 1,
    })),
  )
  const read = wholeReadingOf(habitKit, textFile(JSON.stringify({ habits, completions })))
  expect(read.rows).toHaveLength(20 + 20 * days.length)
})

test.each(['{"habits":[],"completions":[]}', '{"habits":[{"id":"a","completions":[]}]}', 'x', '{"habits":['])(
  '%j is not one',
  (text) => {
    expect(habitKit.recognises(textFile(text))).toBe(false)
  },
)
