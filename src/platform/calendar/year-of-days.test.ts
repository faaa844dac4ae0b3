import { describe, expect, test } from 'vitest'
import type { Day } from '#platform/calendar/day.ts'
import { dayByKey, monthNames, monthsOf, weeksOfYear } from './year-of-days.ts'

const today = '2026-11-20' as Day // a Friday
const weeks = weeksOfYear(today, 1)

describe('the year of a habit', () => {
  test('ends with the current week and goes back a whole year', () => {
    expect([weeks[0], weeks.at(-1), weeks.length]).toEqual(['2025-11-10', '2026-11-16', 54])
    expect(weeksOfYear(today, 7).at(-1)).toBe('2026-11-15')
    expect(weeksOfYear('2028-12-31' as Day, 1)[0]).toBe('2027-12-20')
    expect(weeksOfYear(today, 7, 4)[0]).toBe(weeksOfYear(today, 7)[0])
    expect(weeksOfYear(today, 7, 4).at(-1)).toBe('2026-12-13')
  })

  test('names each month above the first week that is mostly in it', () => {
    expect(monthNames(weeks).map(({ month, week }) => `${month.slice(0, 7)} ${weeks[week]}`)).toEqual([
      '2025-11 2025-11-10',
      '2025-12 2025-12-01',
      '2026-01 2025-12-29',
      '2026-02 2026-02-02',
      '2026-03 2026-03-02',
      '2026-04 2026-03-30',
      '2026-05 2026-05-04',
      '2026-06 2026-06-01',
      '2026-07 2026-06-29',
      '2026-08 2026-08-03',
      '2026-09 2026-08-31',
      '2026-10 2026-09-28',
      '2026-11 2026-11-02',
    ])
  })

  test('does not name a month whose name would run into the next', () => {
    const endOfMonth = weeksOfYear('2026-12-02' as Day, 1)
    expect(monthNames(endOfMonth)[0]?.month).toBe('2025-12-01')
    expect(monthNames(endOfMonth).at(-1)?.month).toBe('2026-11-01')
  })

  test('is divided into months, cut off at the ends of the year', () => {
    const months = monthsOf(weeks, today)
    expect(months).toHaveLength(13)
    expect(months[0]).toEqual({ month: '2025-11-01', from: '2025-11-10', to: '2025-11-30' })
    expect(months[3]).toEqual({ month: '2026-02-01', from: '2026-02-01', to: '2026-02-28' })
    expect(months[12]).toEqual({ month: '2026-11-01', from: '2026-11-01', to: '2026-11-20' })
  })
})

describe('a key in the year of a habit', () => {
  const go = (key: string, from: string, toTheEnds = false) =>
    dayByKey(key, from as Day, weeks, today, toTheEnds)

  test('moves along the weekday and from day to day', () => {
    expect(go('ArrowLeft', '2026-11-20')).toBe('2026-11-13')
    expect(go('ArrowRight', '2026-11-13')).toBe('2026-11-20')
    expect(go('ArrowUp', '2026-11-16')).toBe('2026-11-15')
    expect(go('ArrowDown', '2026-11-15')).toBe('2026-11-16')
  })

  test('moves to the ends of the row, and with Control to the ends of the year', () => {
    expect(go('Home', '2026-11-18')).toBe('2025-11-12')
    expect(go('End', '2025-11-12')).toBe('2026-11-18')
    expect(go('End', '2025-11-15')).toBe('2026-11-14')
    expect(go('Home', '2026-11-18', true)).toBe('2025-11-10')
    expect(go('End', '2025-11-12', true)).toBe(today)
  })

  test('moves by a month, to the last day of a shorter one', () => {
    expect(go('PageUp', '2026-03-31')).toBe('2026-02-28')
    expect(go('PageUp', '2026-01-15')).toBe('2025-12-15')
    expect(go('PageDown', '2026-01-31')).toBe('2026-02-28')
  })

  test('never moves past today or outside the year', () => {
    expect(go('ArrowRight', '2026-11-14')).toBe('2026-11-14')
    expect(go('ArrowDown', '2026-11-20')).toBe(today)
    expect(go('PageDown', '2026-11-02')).toBe(today)
    expect(go('ArrowUp', '2025-11-10')).toBe('2025-11-10')
    expect(go('PageUp', '2025-11-20')).toBe('2025-11-10')
  })

  test('without a meaning here is ignored', () => expect(go('a', '2026-11-20')).toBeUndefined())
})
