import { describe, expect, test } from 'vitest'
import type { Day } from '#platform/calendar/day.ts'
import { dayNumber } from '#platform/calendar/day.ts'
import { type HabitDays, trackOf } from '../habit-track.ts'
import { resultOf } from '../period-result.ts'
import { periodOn } from '../periods.ts'
import type { Rhythm, Target } from '../rhythm.ts'
import { badgeWords, progressOf, rhythmSentence } from './rhythm-words.ts'
import { formatAmount, parseAmount, unitOf } from './target-words.ts'

const glasses: Target = { at: 'least', amount: 8_000, unit: 'glasses', per: 'day' }
const cups: Target = { at: 'most', amount: 2_000, unit: 'cups', per: 'day' }
const kilometres: Target = { at: 'least', amount: 20_500, unit: 'km', per: 'week' }

describe('a rhythm in words', () => {
  test.each<[Rhythm, Target, string, string]>([
    [{ every: 1 }, 'yes', 'Daily', 'Every day.'],
    [{ times: 1, per: 'week' }, 'yes', 'Weekly', 'Once a week, on any day.'],
    [{ times: 3, per: 'week' }, 'yes', '3 times a week', '3 times a week, on any days.'],
    [{ times: 1, per: 'month' }, 'yes', 'Once a month', 'Once a month, on any day.'],
    [{ times: 4, per: 'month' }, 'yes', '4 times a month', '4 times a month, on any days.'],
    [{ times: 2, days: 5 }, 'yes', '2 times in 5 days', '2 times in every 5 days.'],
    [{ weekdays: [5, 1, 3] }, 'yes', 'Mon, Wed, Fri', 'Monday, Wednesday and Friday.'],
    [{ weekdays: [1, 2, 3, 4, 5] }, 'yes', 'Mon to Fri', 'Monday to Friday.'],
    [{ weekdays: [6, 7] }, 'yes', 'Sat, Sun', 'Saturday and Sunday.'],
    [{ every: 3 }, 'yes', 'Every 3 days', 'Every 3 days.'],
    [{ every: 1 }, glasses, '8 glasses a day', 'At least 8 glasses a day.'],
    [{ every: 1 }, cups, 'At most 2 cups a day', 'At most 2 cups a day.'],
    [
      { weekdays: [1, 2, 3, 4, 5] },
      glasses,
      '8 glasses, Mon to Fri',
      'At least 8 glasses a day, Monday to Friday.',
    ],
    [{ every: 1 }, kilometres, '20.5 km a week', 'At least 20.5 km a week, on any days.'],
  ])('%j with %j is %s', (rhythm, target, badge, sentence) => {
    expect(badgeWords(rhythm, target, 1)).toBe(badge)
    expect(rhythmSentence(rhythm, target, 1)).toBe(sentence)
  })

  test('names weekdays in the order of the week of the person', () => {
    expect(badgeWords({ weekdays: [1, 7] }, 'yes', 7)).toBe('Sun, Mon')
    expect(rhythmSentence({ weekdays: [7, 1, 2] }, 'yes', 7)).toBe('Sunday to Tuesday.')
  })
})

describe('how far the period of today is', () => {
  // A Wednesday.
  const today = '2026-11-25' as Day

  function words(rhythm: Rhythm, target: Target, habit: Partial<HabitDays> = {}, on: Day = today) {
    const start = '2026-10-01' as Day
    const track = trackOf({
      rows: [{ from_day: start, rhythm, target }],
      startDay: start,
      archivedOn: null,
      states: new Map(),
      amounts: new Map(),
      pauses: [],
      weekStart: 1,
      ...habit,
    })
    const period = periodOn(track, dayNumber(on))
    const progress = progressOf(
      period && resultOf(track, period, dayNumber(on)),
      track.amounts.get(dayNumber(on)) ?? null,
    )
    return progress && progress.before + progress.reached + progress.after
  }
  const done = (...days: string[]) => ({ states: new Map(days.map((day) => [day as Day, 'done' as const])) })
  const entered = (amounts: Record<string, number>) => ({
    amounts: new Map(Object.entries(amounts).map(([day, amount]) => [day as Day, amount])),
  })

  test('is said while it is possible, with the days that are left', () => {
    const twice = done('2026-11-23', '2026-11-24')
    expect(words({ times: 3, per: 'week' }, 'yes', twice)).toBe(
      'Still possible: 2 of 3 this week, 5 days left',
    )
    expect(words({ times: 3, per: 'week' }, 'yes', twice, '2026-11-29' as Day)).toBe(
      'Still possible: 2 of 3 this week, 1 day left',
    )
  })

  test('is said to be no longer possible once too few days are left, and is never called failed', () => {
    expect(words({ times: 3, per: 'week' }, 'yes', done('2026-11-23'), '2026-11-29' as Day)).toBe(
      'No longer possible: 1 of 3 this week',
    )
  })

  test('is said when it is done', () => {
    expect(words({ times: 2, per: 'month' }, 'yes', done('2026-11-02', '2026-11-24'))).toBe(
      '2 of 2 this month',
    )
    expect(words({ times: 1, days: 4 }, 'yes')).toBeUndefined()
  })

  test('of an amount a day is that of today', () => {
    expect(words({ every: 1 }, glasses, entered({ [today]: 5_000 }))).toBe('5 of 8 glasses today')
    expect(words({ every: 1 }, cups, entered({ [today]: 1_000 }))).toBe('1 of 2 cups today, kept so far')
    expect(words({ every: 1 }, cups, entered({ [today]: 3_000 }))).toBe('3 of 2 cups today, over the limit')
    expect(words({ times: 3, per: 'week' }, glasses, entered({ '2026-11-24': 8_000 }))).toBe(
      '0 of 8 glasses today; 1 of 3 this week',
    )
  })

  test('of an amount a week is the sum so far', () => {
    expect(words({ every: 1 }, kilometres, entered({ '2026-11-23': 12_000, [today]: 500 }))).toBe(
      'Still possible: 12.5 of 20.5 km this week, 5 days left',
    )
  })

  test('is nothing to say of a habit that its tick says all about', () => {
    expect(words({ every: 1 }, 'yes')).toBeUndefined()
    expect(words({ times: 1, per: 'week' }, 'yes')).toBeUndefined()
    expect(words({ weekdays: [1] }, glasses)).toBeUndefined()
  })
})

describe('an amount', () => {
  test.each([
    ['8', 8_000],
    [' 1.5 ', 1_500],
    ['1,5', 1_500],
    ['0.125', 125],
    ['0', 0],
    ['1000000', 1_000_000_000],
  ])('typed as %j is %d thousandths', (text, amount) => {
    expect(parseAmount(text)).toBe(amount)
  })

  test.each(['', 'x', '-1', '1.2345', '1 2', '.5', '1e3'])('is not %j', (text) => {
    expect(parseAmount(text)).toBeUndefined()
  })

  test('is read back as it is shown', () => {
    expect([8_000, 1_500, 125, 1_234_567].map(formatAmount)).toEqual(['8', '1.5', '0.125', '1,234.567'])
  })
})

test('a streak of one has its unit in the singular', () => {
  expect([unitOf(1, 'days'), unitOf(2, 'weeks'), unitOf(0, 'months'), unitOf(1, 'times')]).toEqual([
    'day',
    'weeks',
    'months',
    'time',
  ])
})
