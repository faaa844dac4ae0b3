import { describe, expect, test } from 'vitest'
import { type Day, dayOf, daySchema } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { timeOfDay } from '#platform/format/format-time.ts'
import { english } from './english.ts'
import { type TypingPerson, typedDate, typedTime } from './typed-date.ts'

const day = (text: string): Day => daySchema.parse(text)
const sunday = person('2026-11-22')

function person(today: string, rest: Partial<TypingPerson> = {}): TypingPerson {
  return { today: day(today), weekStart: 1, numberOrder: 'day first', language: english, ...rest }
}

/** '2026-11-26 18:00', '18:00', or what somebody is told if nothing was understood. */
function understood(text: string, by: TypingPerson): string {
  const typed = typedDate(text, by)
  if (!typed) return 'nothing'
  return [typed.day, typed.time === undefined ? undefined : timeOfDay(typed.time)].filter(Boolean).join(' ')
}

describe('on Sunday 22 November 2026, in weeks from Monday', () => {
  test.each([
    ['today', '2026-11-22'],
    ['Tod', '2026-11-22'],
    ['tomorrow', '2026-11-23'],
    [' TOM ', '2026-11-23'],
    ['tmrw', '2026-11-23'],
    ['tm', '2026-11-23'],
    ['tonight', '2026-11-22'],
    ['the day after tomorrow', '2026-11-24'],
    ['next weekend', '2026-11-28'],
    ['within 3 days', '2026-11-25'],
    ['3 days from now', '2026-11-25'],
    ['end of the week', '2026-11-22'],
    ['eoy', '2026-12-31'],
    ['sat.', '2026-11-28'],
    ['yesterday', '2026-11-21'],
    ['fri', '2026-11-27'],
    ['Friday', '2026-11-27'],
    ['on thurs', '2026-11-26'],
    ['tues', '2026-11-24'],
    ['weds', '2026-11-25'],
    ['sun', '2026-11-29'],
    ['this sat', '2026-11-28'],
    ['next fri', '2026-11-27'],
    ['weekend', '2026-11-28'],
    ['next week', '2026-11-23'],
    ['next month', '2026-12-01'],
    ['next year', '2027-01-01'],
    ['in 3 days', '2026-11-25'],
    ['3 days', '2026-11-25'],
    ['in a week', '2026-11-29'],
    ['in two weeks', '2026-12-06'],
    ['in 3 months', '2027-02-22'],
    ['in 10 years', '2036-11-22'],
    ['3 dec', '2026-12-03'],
    ['dec 3', '2026-12-03'],
    ['Dec. 3rd, 2027', '2027-12-03'],
    ['3rd of december 2027', '2027-12-03'],
    ['the 3rd of sept', '2027-09-03'],
    ['Thu 26 Nov', '2026-11-26'],
    ['Thu 19 Nov', '2026-11-19'],
    ['Friday 19 November', '2027-11-19'],
    ['Fri 26 Nov 2027', '2027-11-26'],
    ['19 nov', '2027-11-19'],
    ['22 nov', '2026-11-22'],
    ['2026-12-03', '2026-12-03'],
    ['2026/1/9', '2026-01-09'],
    ['3.12.', '2026-12-03'],
    ['3.12', '2026-12-03'],
    ['3.12.27', '2027-12-03'],
    ['3/12', '2026-12-03'],
    ['3/12/27', '2027-12-03'],
    ['12/31', '2026-12-31'],
    ['eom', '2026-11-30'],
    ['end of the month', '2026-11-30'],
    ['end of next month', '2026-12-31'],
    ['15', '2026-12-15'],
    ['22', '2026-11-22'],
    ['23rd', '2026-11-23'],
    ['31', '2026-12-31'],
    ['29 feb', '2028-02-29'],
  ])('%j is %s', (text, meant) => {
    expect(understood(text, sunday)).toBe(meant)
  })

  test.each([
    ['3 dec 18:00', '2026-12-03 18:00'],
    ['tomorrow 6:30 pm', '2026-11-23 18:30'],
    ['tomorrow at 6', '2026-11-23 06:00'],
    ['fri at 6.30 p.m.', '2026-11-27 18:30'],
    ['6pm fri', '2026-11-27 18:00'],
    ['at 6 pm next week', '2026-11-23 18:00'],
    ['3.12. 9:05', '2026-12-03 09:05'],
    ['in 3 days at noon', '2026-11-25 12:00'],
    ['6pm', '18:00'],
    ['12am', '00:00'],
    ['12 pm', '12:00'],
    ['at 18', '18:00'],
    ['0:00', '00:00'],
  ])('%j is %s', (text, meant) => {
    expect(understood(text, sunday)).toBe(meant)
  })

  test.each([
    '',
    '   ',
    'to',
    'dec',
    'soon',
    'next',
    'in 3',
    'in 2 hours',
    '31 feb',
    '31 nov',
    '31.11.2026',
    '29 feb 2027',
    '0 dec',
    '32',
    '13/13',
    '2026-13-01',
    '3/12.',
    'Fri 26 Nov 2026',
    '31 dec 1899',
    '1 jan 2200',
    'in 200 years',
    'in 9999 years',
    'in 99999 days',
    'tomorrow 25:00',
    'tomorrow 18:60',
    'tomorrow 13pm',
    '0am',
    'tomorrow fri',
    '18.30',
    'paprika',
    'freaky friday',
  ])('%j is no day', (text) => {
    expect(understood(text, sunday)).toBe('nothing')
  })
})

describe('the first day of a week decides what next week is', () => {
  test.each<[WeekStart, today: string, text: string, meant: string]>([
    [1, '2026-11-18', 'next week', '2026-11-23'],
    [7, '2026-11-18', 'next week', '2026-11-22'],
    [6, '2026-11-18', 'next week', '2026-11-21'],
    [1, '2026-11-22', 'next week', '2026-11-23'],
    [7, '2026-11-22', 'next week', '2026-11-29'],
    [6, '2026-11-21', 'next week', '2026-11-28'],
    [1, '2026-11-18', 'next fri', '2026-11-27'],
    [7, '2026-11-18', 'next fri', '2026-11-27'],
    [6, '2026-11-18', 'next fri', '2026-11-27'],
    [6, '2026-11-18', 'next sat', '2026-11-21'],
    [7, '2026-11-21', 'next sun', '2026-11-22'],
    [1, '2026-11-20', 'fri', '2026-11-27'],
    [1, '2026-11-21', 'weekend', '2026-11-28'],
    [6, '2026-11-20', 'weekend', '2026-11-21'],
  ])('from weekday %i, on %s, %j is %s', (weekStart, today, text, meant) => {
    expect(understood(text, person(today, { weekStart }))).toBe(meant)
  })
})

describe('at the ends of years and months', () => {
  test.each([
    ['2026-12-31', 'tomorrow', '2027-01-01'],
    ['2026-12-31', 'next week', '2027-01-04'],
    ['2026-12-31', 'next month', '2027-01-01'],
    ['2026-12-31', 'eom', '2026-12-31'],
    ['2026-12-31', '31 dec', '2026-12-31'],
    ['2026-12-31', '30 dec', '2027-12-30'],
    ['2026-12-31', '1', '2027-01-01'],
    ['2026-12-31', 'Thu', '2027-01-07'],
    ['2027-01-01', '31 dec', '2027-12-31'],
    ['2027-01-31', 'in a month', '2027-02-28'],
    ['2028-01-31', 'in 1 month', '2028-02-29'],
    ['2027-01-31', '30', '2027-03-30'],
    ['2028-02-29', 'in a year', '2029-02-28'],
    ['2028-02-29', '29 feb', '2028-02-29'],
    ['2028-03-01', '29 feb', '2032-02-29'],
    ['2096-03-01', '29 feb', '2104-02-29'],
    ['2027-02-10', 'eom', '2027-02-28'],
    ['2199-12-31', 'tomorrow', 'nothing'],
    ['2199-12-30', 'tomorrow', '2199-12-31'],
  ])('on %s, %j is %s', (today, text, meant) => {
    expect(understood(text, person(today))).toBe(meant)
  })
})

describe('at one instant it is another today in each of three zones, and later where the day begins late', () => {
  const newYear = Date.parse('2026-12-31T23:30:00Z')
  test.each([
    ['Pacific/Auckland', 0, '2027-01-01', 'today', '2027-01-01'],
    ['Pacific/Auckland', 0, '2027-01-01', '31 dec', '2027-12-31'],
    ['Pacific/Auckland', 0, '2027-01-01', 'fri', '2027-01-08'],
    ['Europe/Copenhagen', 0, '2027-01-01', 'tomorrow', '2027-01-02'],
    ['Europe/Copenhagen', 180, '2026-12-31', 'tomorrow', '2027-01-01'],
    ['Europe/Copenhagen', 180, '2026-12-31', 'eom', '2026-12-31'],
    ['America/Los_Angeles', 0, '2026-12-31', 'fri', '2027-01-01'],
    ['America/Los_Angeles', 0, '2026-12-31', 'next month', '2027-01-01'],
    ['America/Los_Angeles', 360, '2026-12-31', '31 dec', '2026-12-31'],
  ])('in %s, with a day from minute %i, it is %s, and %j is %s', (zone, dayStart, today, text, meant) => {
    const itIs = dayOf(newYear, zone, dayStart)
    expect(itIs).toBe(today)
    expect(understood(text, person(itIs))).toBe(meant)
  })
})

describe('where the month comes first', () => {
  const american = person('2026-11-22', { numberOrder: 'month first', weekStart: 7 })
  test.each([
    ['3/12', '2027-03-12'],
    ['12/3/27', '2027-12-03'],
    ['31/12', '2026-12-31'],
    ['3.12.', '2026-12-03'],
    ['2026-12-03', '2026-12-03'],
  ])('%j is %s', (text, meant) => {
    expect(understood(text, american)).toBe(meant)
  })
})

test('every minute of the day survives being shown and read back', () => {
  for (let minutes = 0; minutes < 1440; minutes += 1)
    expect(typedTime(timeOfDay(minutes), english)).toBe(minutes)
})

describe('where nothing but a time is asked for', () => {
  test.each([
    ['18:00', '18:00'],
    ['18', '18:00'],
    ['6', '06:00'],
    ['1830', '18:30'],
    ['630', '06:30'],
    ['6.30', '06:30'],
    ['6pm', '18:00'],
    ['at 6:15 am', '06:15'],
    ['noon', '12:00'],
    ['', undefined],
    ['24', undefined],
    ['1860', undefined],
    ['12345', undefined],
    ['soon', undefined],
  ])('%j is %s', (text, meant) => {
    const time = typedTime(text, english)
    expect(time === undefined ? undefined : timeOfDay(time)).toBe(meant)
  })
})
