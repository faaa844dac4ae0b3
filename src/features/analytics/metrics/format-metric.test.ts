import { expect, test } from 'vitest'
import type { Metric } from './day-value.ts'
import { formatTrend } from './format-metric.ts'
import { trendOf } from './trend.ts'

const value = (amount: number, occasions = 0) => ({ amount, occasions })

test('a trend is put into accurate words', () => {
  const format = (metric: Metric, now: ReturnType<typeof value>, before: ReturnType<typeof value>) => {
    const { strong, rest } = formatTrend(metric, trendOf(metric, now, before), now, 7)
    return strong + rest
  }
  expect(format('habits', value(0, 0), value(3, 7))).toBe('Nothing to compare yet')
  expect(format('habits', value(3, 7), value(0, 0))).toBe('Nothing was due in the previous 7 days')
  expect(format('habits', value(3, 4), value(1, 2))).toBe('25 points up, from 50% to 75%')
  expect(format('focus', value(720, 1), value(659, 1))).toBe('1 min more, 1 session')
  expect(format('focus', value(3_003, 2), value(5_700, 1))).toBe('45 min less, 2 sessions')
  expect(format('focus', value(3_600, 2), value(5_700, 1))).toBe('35 min less, 2 sessions')
  expect(format('focus', value(659, 2), value(0, 0))).toBe('2 sessions, none the 7 days before')
  // Short, for it has to fit in one line of its card: more of them would move what is below.
  expect(format('focus', value(659, 2), value(659, 1))).toBe('2 sessions, same time as before')
})
