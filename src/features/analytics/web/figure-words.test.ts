import { expect, test } from 'vitest'
import { changeOf } from '../change.ts'
import type { Measure } from '../day-figure.ts'
import { changeInWords, noInsightsInWords } from './figure-words.ts'

const figure = (amount: number, beside = 0) => ({ amount, beside })

test('a change is told in true words', () => {
  const told = (measure: Measure, now: ReturnType<typeof figure>, before: ReturnType<typeof figure>) => {
    const { strong, rest } = changeInWords(measure, changeOf(measure, now, before), now, 7)
    return strong + rest
  }
  expect(told('habits', figure(0, 0), figure(3, 7))).toBe('Nothing to compare yet')
  expect(told('habits', figure(3, 7), figure(0, 0))).toBe('Nothing was due in the previous 7 days')
  expect(told('habits', figure(3, 4), figure(1, 2))).toBe('25 points up, from 50% to 75%')
  expect(told('focus', figure(720, 1), figure(659, 1))).toBe('1 min more, 1 session')
  expect(told('focus', figure(3_003, 2), figure(5_700, 1))).toBe('45 min less, 2 sessions')
  expect(told('focus', figure(3_600, 2), figure(5_700, 1))).toBe('35 min less, 2 sessions')
  expect(told('focus', figure(659, 2), figure(659, 1))).toBe(
    '2 sessions, same time as in the previous 7 days',
  )
})

test('where nothing stood out it is said what is compared and what is missing, not that nothing differs', () => {
  expect(noInsightsInWords({ withFocus: 1, without: 89 })).toBe(
    'No insights yet. Once there are at least 14 days of each kind, Daymark compares weekdays with weekends, and days with a focus session with days without one. So far you have 1 day with a focus session and 89 without.',
  )
  expect(noInsightsInWords({ withFocus: 14, without: 14 })).toMatch(
    /^No insights yet\. .* Differences too large to be due to chance/,
  )
})
