import { expect, test } from 'vitest'
import { addDays } from '#platform/calendar/day.ts'
import { filledIn, sentRuleSchema } from './repeat-rule.ts'
import { nextDays, repeatSentence, repeatWords } from './repeat-words.ts'
import vectors from './repeat-words-vectors.json' with { type: 'json' }

const read = (rule: object) => filledIn(sentRuleSchema.parse(rule), 1)

test.each(vectors)('$words', ({ rule, words, sentence }) => {
  expect(repeatWords(read(rule))).toBe(words)
  expect(repeatSentence(read(rule))).toBe(sentence)
})

test('the next five of the 31st fall on the last day of shorter months', () => {
  const monthly = read({ freq: 'month', every: 1, mode: 'due', from: '2026-12-31' })
  expect(nextDays(monthly, monthly.from, 5)).toEqual([
    '2026-12-31',
    '2027-01-31',
    '2027-02-28',
    '2027-03-31',
    '2027-04-30',
  ])
})

test('counted from the day it was done they follow one another, until the end', () => {
  const rule = { freq: 'week', every: 2, mode: 'done', from: '2026-11-20' }
  expect(nextDays(read(rule), read(rule).from, 3)).toEqual(['2026-11-20', '2026-12-04', '2026-12-18'])
  expect(nextDays(read({ ...rule, times: 2 }), read(rule).from, 5)).toEqual(['2026-11-20', '2026-12-04'])
  expect(nextDays(read({ ...rule, until: '2026-12-10' }), read(rule).from, 5)).toEqual([
    '2026-11-20',
    '2026-12-04',
  ])
})

test('of a series that has gone on for years they are those to come', () => {
  const monthly = read({ freq: 'month', every: 1, days: [1], mode: 'due', from: '2020-01-01' })
  expect(nextDays(monthly, addDays(monthly.from, 60), 2)).toEqual(['2020-03-01', '2020-04-01'])
})
