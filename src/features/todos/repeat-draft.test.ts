import { describe, expect, test } from 'vitest'
import type { Day } from '#platform/calendar/day.ts'
import { draftOf, monthChoices, type RepeatDraft, ruleOfDraft } from './repeat-draft.ts'
import { filledIn, type RepeatRule, sentRuleSchema } from './repeat-rule.ts'

const day = (text: string) => text as Day
const read = (rule: object) => filledIn(sentRuleSchema.parse(rule), 1)
const around = (base: string, former?: RepeatRule) => ({ former, base: day(base), weekStart: 1 as const })
const wordsOn = (base: string, former?: RepeatRule) =>
  monthChoices('month', around(base, former)).map(({ words }) => words)
const made = (base: string, change: Partial<RepeatDraft>, former?: RepeatRule) =>
  ruleOfDraft({ ...draftOf(around(base, former)), ...change }, around(base, former))

test('the choices of a month are made of the day that it is due', () => {
  expect(wordsOn('2026-12-31')).toEqual([
    'the 31st, or the last day of a shorter month',
    'the last day of the month',
    'the last Thursday',
  ])
  expect(wordsOn('2026-11-10')).toEqual(['the 10th', 'the last day of the month', 'the second Tuesday'])
  expect(wordsOn('2026-11-26')).toEqual([
    'the 26th',
    'the last day of the month',
    'the fourth Thursday',
    'the last Thursday',
  ])
})

test('a new rule repeats every week on its weekday, until something else is chosen', () => {
  expect(made('2026-11-20', {})).toEqual({
    rule: read({ freq: 'week', every: 1, mode: 'due', from: '2026-11-20' }),
  })
  expect(made('2026-11-20', { freq: 'month', on: 'last day', every: '3' })).toEqual({
    rule: read({ freq: 'month', every: 3, days: [-1], mode: 'due', from: '2026-11-20' }),
  })
  expect(made('2026-11-20', { freq: 'year' })).toEqual({
    rule: read({ freq: 'year', every: 1, mode: 'due', from: '2026-11-20' }),
  })
  expect(made('2026-11-20', { counted: 'done', freq: 'day', every: '3', ends: 'after', times: '5' })).toEqual(
    {
      rule: read({ freq: 'day', every: 3, mode: 'done', times: 5, from: '2026-11-20' }),
    },
  )
})

test('numbers that make no sense are refused at their field, and an end before the beginning', () => {
  for (const every of ['', '0', '1000', '1.5', 'two']) {
    expect(made('2026-11-20', { every })).toMatchObject({ field: 'every' })
    expect(made('2026-11-20', { ends: 'after', times: every })).toMatchObject({ field: 'times' })
  }
  expect(made('2026-11-20', { ends: 'on a day', until: day('2026-11-19') })).toMatchObject({ field: 'until' })
})

describe('a rule that is changed', () => {
  const former = read({ freq: 'month', every: 1, days: [1, 15], mode: 'due', from: '2026-01-01' })

  test('keeps what the choices do not offer', () => {
    expect(wordsOn('2026-11-15', former).at(-1)).toBe('the 1st and the 15th')
    expect(made('2026-11-15', {}, former)).toEqual({ rule: former })
  })

  test('begins anew on the day that is due, unless only its end was changed', () => {
    expect(made('2026-11-15', { ends: 'after', times: '4' }, former)).toEqual({
      rule: { ...former, times: 4 },
    })
    expect(made('2026-11-15', { every: '2' }, former)).toEqual({
      rule: { ...former, every: 2, from: '2026-11-15' },
    })
  })

  test('of every kind comes back as it was', () => {
    for (const rule of [
      { freq: 'day', every: 2, mode: 'due', times: 3 },
      { freq: 'week', every: 2, weekdays: [1, 4], week_start: 7, mode: 'due' },
      { freq: 'month', every: 1, nth: [[-1, 5]], mode: 'due', until: '2027-01-01' },
      { freq: 'month', every: 1, days: [-1], mode: 'due' },
      { freq: 'year', every: 1, days: [12], mode: 'due' },
      { freq: 'year', every: 1, nth: [[2, 7]], mode: 'due' },
      { freq: 'month', every: 6, mode: 'done' },
    ]) {
      const stored = read({ ...rule, from: '2026-03-12' })
      expect(made('2026-11-27', {}, stored)).toEqual({ rule: stored })
    }
  })
})
