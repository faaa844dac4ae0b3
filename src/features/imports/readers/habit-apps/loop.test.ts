import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loopStrength } from '#features/habits/strength/loop-strength.ts'
import type { OpenedFile, ReaderContext, Reading } from '#features/imports/reading/reading.ts'
import { addDays, type Day } from '#platform/calendar/day.ts'
import { runs } from '#testing/runs.ts'
import { loop } from './loop.ts'

const context: ReaderContext = {
  timeZone: 'Europe/Berlin',
  dayStart: 0,
  weekStart: 1,
  today: '2026-11-25' as Day,
  now: Date.UTC(2026, 10, 25, 12),
  answers: {},
}
const samples = fileURLToPath(new URL('../samples/loop/', import.meta.url))

function zipOf(folder: string): OpenedFile {
  const paths = readdirSync(join(samples, folder), { recursive: true, encoding: 'utf8' }).sort()
  return {
    kind: 'zip',
    name: 'Loop Habits CSV 2026-11-21.zip',
    others: [],
    files: paths
      .filter((path) => statSync(join(samples, folder, path)).isFile())
      .map((path) => ({ path, text: readFileSync(join(samples, folder, path), 'utf8') })),
  }
}
const textOf = (path: string): OpenedFile => ({
  kind: 'text',
  name: path.replace(/^.*\//, ''),
  text: readFileSync(join(samples, path), 'utf8'),
})

function reading(file: OpenedFile): Reading {
  expect(loop.recognises(file)).toBe(true)
  const read = loop.read(file, context)
  if ('problem' in read) throw new Error(read.problem)
  return read
}
const habit = (read: Reading, name: string) => {
  const found = read.habits.find((each) => each.name === name)
  if (!found) throw new Error(`No habit ${name}`)
  return found
}
const rowOf = (read: Reading, title: string) => read.rows.find((row) => row.title === title)

describe('the zip of today', () => {
  const read = reading(zipOf('2.3'))

  test('brings done days, skips and notes, whatever the order of the days', () => {
    expect(habit(read, 'Meditate')).toMatchObject({
      description: 'Did you meditate this morning?',
      start: '2026-11-15',
      completions: ['2026-11-15', '2026-11-17', '2026-11-20'],
      skips: ['2026-11-18'],
      notes: [
        { day: '2026-11-17', note: '"Calm" at last' },
        { day: '2026-11-18', note: 'On the train, all day' },
        { day: '2026-11-19', note: 'Ill' },
      ],
      rhythms: [{ from_day: '2026-11-15', rhythm: { every: 1 }, target: 'yes' }],
    })
  })

  test('a day that Loop filled in by itself is no completion, and only its note comes', () => {
    expect(habit(read, 'Stretch, then run').completions).toEqual(['2026-11-16', '2026-11-17', '2026-11-18'])
    expect(rowOf(read, 'Stretch, then run, 2026-11-20')).toMatchObject({
      refused: 'Loop filled this day in by itself: nobody did it',
    })
    expect(rowOf(read, 'Stretch, then run, 2026-11-19')?.changed).toHaveLength(1)
    expect(habit(read, 'Stretch, then run').notes).toEqual([{ day: '2026-11-19', note: 'Forgot, really' }])
  })

  test('amounts are thousandths, with their goal and unit', () => {
    const target = { at: 'least', amount: 10_500, unit: 'pages', per: 'day' }
    expect(habit(read, 'Pages')).toMatchObject({
      rhythms: [{ rhythm: { every: 1 }, target }],
      amounts: [
        { day: '2026-11-17', value: 4_000 },
        { day: '2026-11-20', value: 12_500 },
      ],
      skips: ['2026-11-18'],
      completions: [],
    })
  })

  test('of an at-most habit, a day without any is kept', () => {
    expect(habit(read, 'Coffee').amounts).toEqual([
      { day: '2026-11-19', value: 0 },
      { day: '2026-11-20', value: 3_000 },
    ])
  })

  test('each rhythm is kept, or told', () => {
    const rhythmOf = (name: string) => habit(read, name).rhythms[0]?.rhythm
    expect(rhythmOf('Stretch, then run')).toEqual({ times: 3, per: 'week' })
    expect(rhythmOf('Call home')).toEqual({ times: 3, days: 14 })
    expect(rhythmOf('Pay bills')).toEqual({ times: 1, per: 'month' })
    expect(rhythmOf('Windows')).toEqual({ times: 1, days: 366 })
    expect(rowOf(read, 'Windows')?.changed).toEqual(['1 in 400 days becomes once in 366 days'])
    expect(habit(read, 'Kilometres')).toMatchObject({
      archived: true,
      rhythms: [{ target: { at: 'least', amount: 20_000, unit: 'km', per: 'week' } }],
    })
  })

  test('a day that cannot come says why', () => {
    const refused = read.rows.flatMap(({ title, refused }) =>
      refused && title.startsWith('Kilo') ? [refused] : [],
    )
    expect(refused).toEqual([
      '“2026-11-99” is no day',
      'This day has not come yet',
      '“a lot” is nothing that Loop writes for a day',
      'This day stands in the file twice',
    ])
    expect(habit(read, 'Kilometres').amounts).toEqual([{ day: '2026-11-16', value: 5_000 }])
  })

  test('every row comes, is refused, or is said to say nothing; unknown columns are named', () => {
    // 8 habits; of 23 days three were not done or not known, and nothing was noted.
    expect(read.rows).toHaveLength(8 + 23 - 3)
    expect(read.notes).toContain('Not read, since Daymark does not know this column: “FrequencyMode”.')
    expect(read.notes).toContain('Not counted as rows: 3 days on which nothing was done.')
    for (const { becomes, refused } of read.rows)
      expect((becomes === undefined) === (refused !== undefined)).toBe(true)
  })

  test("Loop's own strength stands beside ours", () => {
    expect(read.notes).toContain('Strength of “Meditate” on its last day: 14.1 % in Loop, not told yet here.')
    // By hand, from the days in the sample: each moves the score by 1 - 0.5^(1/13), and the skip leaves it.
    const kept = 0.5 ** (1 / 13)
    const byHand = [1, 0, 1, 0, 1].reduce((score, share) => score * kept + share * (1 - kept), 0)
    const history = ['done', null, 'done', 'skipped', null, 'done'] as const
    const inLoop = loopStrength({ numerator: 1, denominator: 1, target: null }, history)
    expect(Math.abs(inLoop / 100 - byHand)).toBeLessThan(1e-6)
  })
})

describe('older files', () => {
  test('a name with a comma is found by the order of the columns', () => {
    const file = zipOf('old')
    if (file.kind !== 'zip') throw new Error('Expected a zip')
    const read = reading({ ...file, files: file.files.filter(({ path }) => path !== 'Wake up.csv') })
    expect(read.habits.map(({ name }) => name)).toEqual(['Meditate', 'Eggs, milk'])
    expect(habit(read, 'Meditate')).toMatchObject({ completions: ['2015-01-23'], skips: ['2015-01-24'] })
    expect(habit(read, 'Eggs, milk')).toMatchObject({
      completions: ['2015-01-25'],
      rhythms: [{ rhythm: { times: 2, days: 3 } }],
    })
  })

  test('the file of one habit, without a header, becomes a daily habit of its name', () => {
    const read = reading(textOf('old/Wake up.csv'))
    expect(habit(read, 'Wake up')).toMatchObject({ completions: ['2015-01-25'], skips: ['2015-01-22'] })
    expect(read.rows[0]?.changed).toHaveLength(1)
  })

  test('a database and a file of scores say what to export instead', () => {
    const database: OpenedFile = { kind: 'database', name: 'Loop.db', tables: ['Habits', 'Repetitions'] }
    expect(loop.recognises(database)).toBe(true)
    expect(loop.read(database, context)).toEqual({ problem: expect.stringContaining('Export as CSV') })
    const scores: OpenedFile = { kind: 'text', name: 'Scores.csv', text: '2015-01-25,0.2557\n' }
    expect(loop.read(scores, context)).toEqual({ problem: expect.stringContaining('scores') })
  })

  test('a file that was renamed is known by its values', () => {
    const text = 'Date,Value,Notes\n2026-11-20,YES_MANUAL,\n'
    const read = reading({ kind: 'text', name: 'Read (1).txt', text })
    expect(habit(read, 'Read (1)').completions).toEqual(['2026-11-20'])
  })

  test('a CSV of another app is not Loop’s', () => {
    for (const text of [
      'Name,Date\nMeditate,2026-11-01\n',
      'Date,Value\n2026-11-01,7 km\n',
      'a,b\n1,2\n',
      'Date,Read,Run\n2026-11-01,1,0\n2026-11-02,0,1\n',
      'Date,Value\n2026-11-01,8\n2026-11-02,2\n',
      '',
    ]) {
      expect(loop.recognises({ kind: 'text', name: 'habits.csv', text })).toBe(false)
    }
  })
})

/** Accounts of Loop, as somebody might keep them. */
const loopAccounts = fc.array(
  fc.record({
    name: fc
      .string({ unit: fc.constantFrom('a', 'B', ',', '"', ' ', 'é', '日'), minLength: 1, maxLength: 8 })
      .map((name) => `H${name.trim()}`),
    numerator: fc.integer({ min: 1, max: 10 }),
    denominator: fc.constantFrom(1, 2, 7, 14, 30, 31, 90),
    target: fc.option(
      fc.record({ at: fc.constantFrom('AT_LEAST', 'AT_MOST'), amount: fc.integer({ min: 1, max: 50_000 }) }),
    ),
    archived: fc.boolean(),
    days: fc.uniqueArray(
      fc.record({
        back: fc.nat(400),
        what: fc.constantFrom('done', 'skipped', 'automatic', 'no'),
        amount: fc.integer({ min: 4, max: 90_000 }),
        note: fc.constantFrom('', '', 'so, "so"', 'two\nlines'),
      }),
      { selector: ({ back }) => back, maxLength: 30 },
    ),
  }),
  { maxLength: 4 },
)

test('whatever Loop writes is read back, day by day', () => {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  fc.assert(
    fc.property(loopAccounts, (account) => {
      const dayBack = (back: number) => addDays(context.today, -back)
      const valueOfDay = (counts: boolean, what: string, amount: number) =>
        counts && what === 'done'
          ? String(amount)
          : { done: 'YES_MANUAL', skipped: 'SKIP', automatic: 'YES_AUTO', no: 'NO' }[what]
      const file: OpenedFile = {
        kind: 'zip',
        name: 'Loop.zip',
        others: [],
        files: [
          {
            path: 'Habits.csv',
            text: [
              'Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color,Unit,Target Type,Target Value,Archived?',
              ...account.map(
                (each, place) =>
                  `${place + 1},${quoted(each.name)},${each.target ? 'NUMERICAL' : 'YES_NO'},,,${each.numerator},${each.denominator},#fff,${each.target ? 'km' : ''},${each.target?.at ?? ''},${each.target ? each.target.amount / 1000 : ''},${each.archived}`,
              ),
            ].join('\r\n'),
          },
          ...account.map((each, place) => ({
            path: `${String(place + 1).padStart(3, '0')} ${each.name.replace(/[^ a-zA-Z0-9._-]+/g, '')}/Checkmarks.csv`,
            text: `Date,Value,Notes\n${each.days.map(({ back, what, amount, note }) => `${dayBack(back)},${valueOfDay(each.target !== null, what, amount)},${note && quoted(note)}\n`).join('')}`,
          })),
        ],
      }
      const read = reading(file)
      expect(read.habits).toHaveLength(account.length)
      for (const [place, each] of account.entries()) {
        const habit = read.habits[place]
        const daysOf = (wanted: string) =>
          each.days.flatMap(({ back, what }) => (what === wanted ? [dayBack(back)] : [])).sort()
        const done = each.days.filter(({ what }) => what === 'done')
        expect(habit?.name).toBe(each.name)
        expect(habit?.archived).toBe(each.archived)
        expect(habit?.skips).toEqual(daysOf('skipped'))
        expect(habit?.completions).toEqual(each.target ? [] : daysOf('done'))
        const amounts = habit?.amounts.filter(({ value }) => value > 3)
        expect(amounts).toEqual(
          each.target
            ? done
                .map(({ back, amount }) => ({ day: dayBack(back), value: amount }))
                .sort((a, b) => (a.day < b.day ? -1 : 1))
            : [],
        )
        expect(habit?.notes.map(({ note }) => note).sort()).toEqual(
          each.days.flatMap(({ note }) => (note === '' ? [] : [note])).sort(),
        )
      }
      const keys = read.rows.flatMap(({ becomes }) => becomes ?? [])
      expect(new Set(keys).size).toBe(keys.length)
    }),
    { numRuns: runs(5_000, 150) },
  )
})
