import fc from 'fast-check'
import { RRuleTemporal } from 'rrule-temporal'
import { expect, test } from 'vitest'
import { repeatWords } from '#features/todos/repeat/rule/repeat-words.ts'
import { seriesFrom } from '#features/todos/repeat/rule/series.ts'
import { addDays, type Day, daySchema } from '#platform/calendar/day.ts'
import { runs } from '#testing/runs.ts'
import { readRrule } from './rrule.ts'

/** A Wednesday. */
const from = daySchema.parse('2026-11-25')
const person = { timeZone: 'Europe/Berlin', weekStart: 1 } as const

const said = (text: string) => {
  const read = readRrule(text, from, person)
  if (!read) return undefined
  const { repeat, changed } = read
  const { until = '', times = '' } = repeat
  return [repeat.from, repeatWords(repeat), until, times, ...changed]
    .filter((part) => part !== '')
    .join(' · ')
}

test.each([
  ['RRULE:FREQ=DAILY;INTERVAL=1', '2026-11-25 · every day'],
  ['FREQ=DAILY', '2026-11-25 · every day'],
  ['RRULE:FREQ=DAILY;INTERVAL=3', '2026-11-25 · every 3 days'],
  ['RRULE:FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR', '2026-11-25 · every weekday'],
  ['RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;WKST=SU', '2026-11-27 · every 2 weeks on Mon, Fri'],
  ['RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO', '2026-12-07 · every 2 weeks on Mon'],
  ['RRULE:FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=1', '2027-02-01 · every 3 months on the 1st'],
  ['RRULE:FREQ=YEARLY;INTERVAL=2;BYMONTH=3;BYMONTHDAY=8', '2028-03-08 · every 2 years on 8 Mar'],
  ['RRULE:FREQ=WEEKLY', '2026-11-25 · every week on Wed'],
  ['RRULE:FREQ=MONTHLY;BYMONTHDAY=1,15', '2026-12-01 · every month on the 1st, 15th'],
  ['RRULE:FREQ=MONTHLY;BYMONTHDAY=-1', '2026-11-30 · every month on the last day'],
  [
    'RRULE:FREQ=MONTHLY;BYMONTHDAY=31',
    '2026-11-30 · every month on the 31st · In a shorter month it comes on the last day',
  ],
  ['RRULE:FREQ=MONTHLY;BYDAY=-1FR', '2026-11-27 · every month on the last Fri'],
  ['RRULE:FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2', '2026-12-08 · every month on the second Tue'],
  ['RRULE:FREQ=YEARLY', '2026-11-25 · every year on 25 Nov'],
  ['RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=8', '2027-03-08 · every year on 8 Mar'],
  ['RRULE:FREQ=YEARLY;BYMONTH=5;BYDAY=2SU', '2027-05-09 · every year on the second Sun of May'],
  ['RRULE:FREQ=DAILY;UNTIL=20261231', '2026-11-25 · every day · 2026-12-31'],
  ['RRULE:FREQ=DAILY;UNTIL=20261230T230000Z', '2026-11-25 · every day · 2026-12-31'],
  ['RRULE:FREQ=DAILY;COUNT=5', '2026-11-25 · every day · 5'],
])('%s', (text, says) => {
  expect(said(text)).toBe(says)
})

test.each([
  ...[
    'RRULE:FREQ=HOURLY',
    'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
    'RRULE:FREQ=MONTHLY;BYDAY=MO',
  ],
  ...[
    'RRULE:FREQ=DAILY;INTERVAL=2;BYDAY=MO',
    'RRULE:FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=1FR',
    'ERULE:NAME=FORGETTINGCURVE',
  ],
  ...[
    'RRULE:FREQ=WEEKLY;TT_SKIP=HOLIDAY',
    'RRULE:FREQ=YEARLY;BYMONTH=1,7',
    'RRULE:FREQ=MONTHLY;BYMONTHDAY=-2',
    'x',
    '',
  ],
  ...[
    'RRULE:FREQ=YEARLY;BYDAY=20MO',
    'RRULE:FREQ=DAILY;INTERVAL=0',
    'RRULE:FREQ=DAILY;BYHOUR=9,17',
    'RRULE:FREQ=DAILY;UNTIL=soon',
  ],
])('what Daymark cannot say is not read: %s', (text) => {
  expect(said(text)).toBeUndefined()
})

test('a rule that is read gives the days that the RFC gives', () => {
  const weekday = fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU')
  const monthDay = fc.oneof(fc.integer({ min: 1, max: 28 }), fc.constant(-1))
  const by = fc.oneof(
    fc.constant('FREQ=DAILY'),
    fc.uniqueArray(weekday, { minLength: 1 }).map((days) => `FREQ=WEEKLY;BYDAY=${days}`),
    fc.uniqueArray(monthDay, { minLength: 1, maxLength: 3 }).map((days) => `FREQ=MONTHLY;BYMONTHDAY=${days}`),
    fc.tuple(fc.constantFrom(1, 2, 3, 4, -1), weekday).map(([nth, day]) => `FREQ=MONTHLY;BYDAY=${nth}${day}`),
    fc.integer({ min: 1, max: 12 }).map((month) => `FREQ=YEARLY;BYMONTH=${month};BYMONTHDAY=7`),
  )
  fc.assert(
    fc.property(
      by,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 0, max: 700 }),
      (rule, every, later) => {
        const read = readRrule(`RRULE:${rule};INTERVAL=${every}`, addDays(from, later), person)?.repeat
        if (read?.mode !== 'due') throw new Error(`${rule} is not read`)
        const start = addDays(from, later).replaceAll('-', '')
        const theirs = new RRuleTemporal({
          rruleString: `DTSTART;TZID=UTC:${start}T000000\nRRULE:${rule};INTERVAL=${every};WKST=MO;COUNT=8`,
        })
        const days = theirs.all().map((date): Day => daySchema.parse(date.toPlainDate().toString()))
        expect([...seriesFrom(read, read.from).take(8)]).toEqual(days)
      },
    ),
    { numRuns: runs(2_000, 100) },
  )
})
