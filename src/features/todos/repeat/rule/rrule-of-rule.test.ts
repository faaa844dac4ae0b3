import { expect, test } from 'vitest'
import type { Day } from '#platform/calendar/day.ts'
import type { DueRule } from './repeat-rule.ts'
import { firstOfSeries, rruleOfRule } from './rrule-of-rule.ts'

const from = '2026-01-31' as Day
const due = { mode: 'due', every: 1, from } as const

test.each<[DueRule, string]>([
  [{ ...due, freq: 'day' }, 'FREQ=DAILY'],
  [{ ...due, freq: 'day', every: 3, times: 5 }, 'FREQ=DAILY;INTERVAL=3;COUNT=5'],
  [
    { ...due, freq: 'week', every: 2, weekdays: [1, 5], week_start: 7, until: '2026-12-31' as Day },
    'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;WKST=SU;UNTIL=20261231',
  ],
  [{ ...due, freq: 'month', days: [1, 15] }, 'FREQ=MONTHLY;BYMONTHDAY=1,15'],
  [{ ...due, freq: 'month', days: [31] }, 'RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD'],
  [{ ...due, freq: 'month', days: [-1] }, 'FREQ=MONTHLY;BYMONTHDAY=-1'],
  [
    {
      ...due,
      freq: 'month',
      nth: [
        [2, 7],
        [-1, 5],
      ],
    },
    'FREQ=MONTHLY;BYDAY=2SU,-1FR',
  ],
  [
    { ...due, from: '2024-02-29' as Day, freq: 'year', days: [29] },
    'RSCALE=GREGORIAN;FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;SKIP=BACKWARD',
  ],
  [{ ...due, freq: 'year', nth: [[1, 1]] }, 'FREQ=YEARLY;BYMONTH=1;BYDAY=1MO'],
])('%j is %s', (rule, rrule) => {
  expect(rruleOfRule(rule)).toBe(rrule)
})

test('of two ends the one that comes first is told', () => {
  const rule = { ...due, freq: 'day', until: '2026-02-03' as Day } as const
  expect(rruleOfRule({ ...rule, times: 2 })).toBe('FREQ=DAILY;UNTIL=20260201')
  expect(rruleOfRule({ ...rule, times: 20 })).toBe('FREQ=DAILY;UNTIL=20260203')
})

test('the series begins on the first day that the rule gives', () => {
  expect(firstOfSeries({ ...due, freq: 'month', days: [15] })).toBe('2026-02-15')
  expect(firstOfSeries({ ...due, freq: 'month', days: [15], until: '2026-02-01' as Day })).toBeUndefined()
})
