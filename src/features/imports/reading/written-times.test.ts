import { expect, test } from 'vitest'
import { clockIn, durationIn, orderOfDates, timeIn } from './written-times.ts'

const zone = 'Europe/Berlin'

test.each([
  ['2026-11-20', '2026-11-20', undefined],
  ['2026/1/2', '2026-01-02', undefined],
  ['20261120', '2026-11-20', undefined],
  ['20.11.2026', '2026-11-20', undefined],
  ['1.2.26', '2026-02-01', undefined],
  ['20/11/2026', '2026-11-20', undefined],
  ['11/20/2026 9:05 PM', '2026-11-20', 75_900],
  ['2026-11-20 09:05:30', '2026-11-20', 32_730],
  ['2026-11-20T23:30:00Z', '2026-11-21', 1_800],
  ['2026-11-20 23:30:00 +0000', '2026-11-21', 1_800],
  ['04/04/2026', '2026-04-04', undefined],
])('%j is a day', (text, day, seconds) => {
  expect(timeIn(text, { zone })).toMatchObject({ day, seconds })
})

test.each([
  '',
  'soon',
  '2026-02-30',
  '03/04/2026',
  '2026-11-20 25:00',
  '20-11.2026',
  '1899-12-31',
  '2026-11-20T99:99:99Z',
])('%j is no day', (text) => {
  expect(timeIn(text, { zone })).toBeUndefined()
})

test('an instant stays the one it is, though the clocks show two alike', () => {
  const [first, second] = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'].map((text) =>
    timeIn(text, { zone }),
  )
  expect(first?.seconds).toBe(second?.seconds)
  expect((second?.instant ?? 0) - (first?.instant ?? 0)).toBe(3_600_000)
})

test('one date that can only mean one day tells the order of all', () => {
  expect(orderOfDates(['03/04/2026', '13/04/2026 10:00'])).toBe('Day first')
  expect(orderOfDates(['03/04/2026', '04/13/2026'])).toBe('Month first')
  expect(orderOfDates(['03/12/2026', '12/03/2026', '99/99/2026', '30/02/2026'])).toBe('unknown')
  expect(orderOfDates(['99/99/2026'])).toBeUndefined()
  expect(orderOfDates(['03/04/2026', ''])).toBe('unknown')
  expect(orderOfDates(['03.04.2026', '2026-01-02', '05/05/2026'])).toBeUndefined()
})

test.each([
  ['12:00 AM', 0],
  ['12:00 pm', 43_200],
  ['9:05 p.m.', 75_900],
  ['23:59:59', 86_399],
  ['24:00', undefined],
  ['13:00 PM', undefined],
  ['9:5', undefined],
])('%j on the clock', (text, seconds) => {
  expect(clockIn(text)).toBe(seconds)
})

test.each([
  ['01:30:00', 1, 5_400],
  ['1:30', 1, 5_400],
  ['26:00:00', 1, 93_600],
  ['1h 30m', 60, 5_400],
  ['1.5 h', 60, 5_400],
  ['45 min', 60, 2_700],
  ['90', 60, 5_400],
  ['1,5', 3_600, 5_400],
  ['a while', 60, undefined],
  ['', 60, undefined],
])('%j takes so long', (text, unit, seconds) => {
  expect(durationIn(text, unit)).toBe(seconds)
})
