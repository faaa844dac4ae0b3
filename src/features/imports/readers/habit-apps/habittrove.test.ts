import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OpenedFile } from '#features/imports/reading/reading.ts'
import { readerContext } from '#features/imports/testing/read.ts'
import { sampleFile, textFile, wholeReadingOf } from '#features/imports/testing/read-sample.ts'
import { dayOf } from '#platform/calendar/day.ts'
import { runs } from '#testing/runs.ts'
import { habitTrove } from './habittrove.ts'

describe('habits.json', () => {
  const read = wholeReadingOf(habitTrove, sampleFile('habittrove/habits.json'))
  const habit = (name: string) => read.habits.find((each) => each.name === name)
  const row = (title: string) => read.rows.find((each) => each.title === title)

  test('reads each completion on the day that it was in the zone of the person', () => {
    expect(habit('Read')).toMatchObject({
      description: 'A page at least',
      start: '2026-11-21',
      completions: ['2026-11-21', '2026-11-22'],
      rhythms: [{ from_day: '2026-11-21', rhythm: { every: 1 }, target: 'yes' }],
    })
  })

  test('asks for the zone once, with the five days that tell zones apart best', () => {
    expect(read.questions).toHaveLength(1)
    expect(read.questions[0]).toMatchObject({ id: 'zone', kind: 'zone', assumed: 'Europe/Berlin' })
    expect(read.questions[0]?.examples).toHaveLength(5)
    expect(read.questions[0]?.examples[0]).toMatch(
      /^Call the bank: Wednesday, November 11, 2026 at 12:15\sAM$/,
    )
  })

  test('reads them in the zone that was answered', () => {
    const answered = wholeReadingOf(habitTrove, sampleFile('habittrove/habits.json'), {
      answers: { zone: 'America/New_York' },
    })
    expect(answered.habits[0]?.completions).toEqual(['2026-11-20', '2026-11-22'])
  })

  test('counts a habit that is to be done several times a day', () => {
    expect(habit('Water')).toMatchObject({
      completions: [],
      amounts: [
        { day: '2026-11-23', value: 3_000 },
        { day: '2026-11-25', value: 1_000 },
      ],
      rhythms: [
        {
          rhythm: { weekdays: [1, 3, 5] },
          target: { at: 'least', amount: 3_000, unit: 'times', per: 'day' },
        },
      ],
    })
  })

  test('keeps rhythms, or says what becomes of them', () => {
    expect(habit('Rent')).toMatchObject({ archived: true, rhythms: [{ rhythm: { times: 1, per: 'month' } }] })
    expect(habit('Windows')?.rhythms[0]?.rhythm).toEqual({ times: 1, days: 14 })
    expect(row('Windows')?.changed).toEqual([
      'The rhythm “FREQ=WEEKLY;INTERVAL=2;BYDAY=SA” becomes once in 14 days',
    ])
    expect(row('Odd')?.changed).toEqual(['The rhythm “every blue moon” becomes daily'])
  })

  test('tells tasks from habits', () => {
    expect(read.todos).toEqual([
      { key: 't1', title: 'Passport', note: 'Two photos', priority: 0, tags: [], due: '2026-12-02' },
      {
        key: 't2',
        title: 'Call the bank',
        note: '',
        priority: 0,
        tags: [],
        due: '2026-11-10',
        completed: { at: Date.parse('2026-11-10T23:15:00Z'), on: '2026-11-11' },
      },
    ])
  })

  test('has each habit and each completion once', () => {
    expect(read.rows).toHaveLength(9 + 4 + 4 + 1)
    expect(read.rows.filter(({ refused }) => refused).map(({ refused }) => refused)).toEqual([
      '“soon” is no time',
      'One with its id is in the file already',
      "It isn't written as a habit is",
    ])
    expect(read.notes).toEqual(['The columns "coinReward", "userIds" aren\'t read.'])
  })
})

test('asks for no zone where settings.json names it', () => {
  const opened = sampleFile('habittrove/habits.json')
  if (opened.kind !== 'text') throw new Error('Text')
  const zip: OpenedFile = {
    kind: 'zip',
    name: 'data.zip',
    others: [],
    files: [
      { path: 'data/coins.json', text: '{"balance":1,"transactions":[]}' },
      { path: 'data/habits.json', text: opened.text },
      { path: 'data/settings.json', text: '{"ui":{},"system":{"timezone":"Asia/Tokyo"}}' },
    ],
  }
  const read = wholeReadingOf(habitTrove, zip)
  expect(read.questions).toEqual([])
  expect(read.habits[0]?.completions).toEqual(['2026-11-21', '2026-11-22', '2026-11-23'])
})

test('whatever is written is read back, in any zone', () => {
  const zone = fc.constantFrom('Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kolkata', 'UTC')
  const instant = fc.integer({ min: Date.UTC(2022, 0), max: Date.UTC(2026, 10, 24) })
  fc.assert(
    fc.property(
      fc.array(fc.array(instant, { maxLength: 30 }), { minLength: 1, maxLength: 5 }),
      zone,
      (all, timeZone) => {
        const habits = all.map((instants, nth) => ({
          id: `h${nth}`,
          name: `Habit ${nth}`,
          description: '',
          frequency: 'daily',
          coinReward: 1,
          completions: instants.map((at) => new Date(at).toISOString()),
        }))
        const read = wholeReadingOf(habitTrove, textFile(JSON.stringify({ habits })), {
          answers: { zone: timeZone },
        })
        expect(read.habits.map(({ completions }) => completions)).toEqual(
          all.map((instants) => [...new Set(instants.map((at) => dayOf(at, timeZone, 0)))].sort()),
        )
        expect(read.rows).toHaveLength(all.length + all.flat().length)
      },
    ),
    { numRuns: runs(2_000, 100) },
  )
})

test.each(['{"habits":[{"name":"x"}]}', '[]', '{"habits":', 'a,b\n1,2'])('%j is not one', (text) => {
  expect(habitTrove.recognises(textFile(text))).toBe(false)
  expect(habitTrove.read(textFile(text), readerContext)).toHaveProperty('problem')
})
