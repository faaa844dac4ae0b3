import { describe, expect, test } from 'vitest'
import { daySchema } from '#platform/calendar/day.ts'
import {
  andMore,
  capitalized,
  counted,
  listed,
  shortMonth,
  shortWeekdayName,
  times,
  weekdayName,
  wordFor,
} from './words.ts'

describe('what is counted', () => {
  test('is one of it, or none or many, and long numbers have a comma', () => {
    expect([0, 1, 2, 999, 1_000, 1_234_567].map((count) => counted(count, 'task'))).toEqual([
      '0 tasks',
      '1 task',
      '2 tasks',
      '999 tasks',
      '1,000 tasks',
      '1,234,567 tasks',
    ])
  })

  test('has a plural of its own where an s would be wrong', () => {
    expect([counted(1, 'person', 'people'), counted(2, 'person', 'people')]).toEqual(['1 person', '2 people'])
    expect(`3600 ${wordFor(3_600, 'second')}`).toBe('3600 seconds')
    expect([times(1), times(2)]).toEqual(['once', '2 times'])
  })
})

test('a list of names has an "and" before the last', () => {
  expect([[], ['one'], ['one', 'two'], ['one', 'two', 'three']].map(listed)).toEqual([
    '',
    'one',
    'one and two',
    'one, two and three',
  ])
  expect([andMore('Pay the rent', 0), andMore('Pay the rent', 1_200)]).toEqual([
    'Pay the rent',
    'Pay the rent and 1,200 more',
  ])
})

test('weekdays are counted from Monday, and months are as short as a row needs them', () => {
  expect([weekdayName(1), shortWeekdayName(3), weekdayName(7)]).toEqual(['Monday', 'Wed', 'Sunday'])
  expect(['2026-01-31', '2026-09-01'].map((day) => shortMonth(daySchema.parse(day)))).toEqual(['Jan', 'Sep'])
})

test('a line begins with a capital', () => {
  expect([capitalized('every day'), capitalized('')]).toEqual(['Every day', ''])
})
