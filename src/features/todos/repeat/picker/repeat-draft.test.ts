import { expect, test } from 'vitest'
import { daySchema } from '#platform/calendar/day.ts'
import { filledIn, type RepeatRule, sentRuleSchema } from '../rule/repeat-rule.ts'
import {
  afterTickWords,
  daysLeft,
  doneLateWords,
  draftOf,
  onChoices,
  onWords,
  type RepeatDraft,
  ruleOfDraft,
} from './repeat-draft.ts'

const day = (text: string) => daySchema.parse(text)
const sunday = day('2026-11-22')
const ruled = (rule: object): RepeatRule => filledIn(sentRuleSchema.parse(rule), 1)
const todo = (from: string, rule: object | null = null) => ({
  rule: rule && ruled(rule),
  from: day(from),
  weekStart: 1 as const,
  done: 0,
})
const changed = (of: ReturnType<typeof todo>, changes: Partial<RepeatDraft>) =>
  ruleOfDraft({ ...draftOf(of), ...changes }, of)
const choices = (freq: 'month' | 'year', of: ReturnType<typeof todo>) =>
  onChoices(freq, of).map((on) => onWords(on, freq, of.from))

test('of the days of a month those are offered that the due day is', () => {
  expect(choices('month', todo('2026-12-31'))).toEqual([
    'the 31st, or the last day of a shorter month',
    'the last day of the month',
    'the last Thursday',
  ])
  expect(choices('month', todo('2026-11-10'))).toEqual([
    'the 10th',
    'the last day of the month',
    'the second Tuesday',
  ])
  expect(choices('month', todo('2026-11-26'))).toContain('the fourth Thursday')
  expect(choices('month', todo('2026-11-26'))).toContain('the last Thursday')
  expect(choices('year', todo('2026-12-12'))).toEqual(['12 December'])
  expect(choices('year', todo('2028-02-29'))).toEqual(['29 February, or 28 February in shorter years'])
})

test('days that are not offered are kept, in words, until others are chosen', () => {
  const of = todo('2026-12-01', { freq: 'month', every: 1, days: [1, 15], mode: 'due', from: '2026-11-01' })
  expect(choices('month', of)).toEqual([
    'the 1st and the 15th',
    'the 1st',
    'the last day of the month',
    'the first Tuesday',
  ])
  expect(changed(of, {})).toEqual(of.rule)
  expect(changed(of, { every: '2' })).toMatchObject({ days: [1, 15], every: 2, from: '2026-12-01' })
  expect(changed(of, { on: { days: [-1] } })).toMatchObject({ days: [-1], from: '2026-12-31' })
})

test('the last day of a short month keeps a rule that names the 31st', () => {
  const of = todo('2027-02-28', { freq: 'month', every: 1, days: [31], mode: 'due', from: '2026-12-31' })
  expect(changed(of, {})).toEqual(of.rule)
  expect(changed(of, { every: '3' })).toMatchObject({ days: [31], from: '2027-02-28' })
})

test('a change of its end alone leaves from where it was, any other begins it on the open day', () => {
  const of = todo('2026-11-24', {
    freq: 'week',
    every: 1,
    weekdays: [2, 5],
    week_start: 7,
    mode: 'due',
    from: '2026-01-02',
  })
  expect(changed(of, { ends: 'times', times: '200' })).toEqual({ ...of.rule, times: 200 })
  expect(changed(of, { ends: 'day', until: day('2027-01-01') })).toEqual({ ...of.rule, until: '2027-01-01' })
  expect(changed(of, { weekdays: [2] })).toMatchObject({ weekdays: [2], week_start: 7, from: '2026-11-24' })
  expect(changed(of, { weekdays: [5, 2] })).toEqual(of.rule)
})

test('an end by a day and by a number is kept until another end is chosen', () => {
  const ends = { until: '2027-06-01', times: 9 }
  const of = todo('2026-11-24', { freq: 'day', every: 1, mode: 'due', from: '2026-11-24', ...ends })
  expect(changed(of, {})).toEqual(of.rule)
  expect(changed(of, { every: '2' })).toMatchObject(ends)
  expect(changed(of, { until: day('2027-07-01') })).not.toHaveProperty('times')
  expect(changed(of, { ends: 'never' })).not.toHaveProperty('until')
})

test('a last day that nobody has chosen yet leaves a few days, whatever the unit', () => {
  for (const freq of ['day', 'week', 'month', 'year'] as const) {
    const rule = changed(todo('2026-11-24'), { freq, ends: 'day' })
    if ('field' in rule) throw new Error(rule.problem)
    expect(daysLeft(rule, todo('2026-11-24'))).toHaveLength(5)
  }
  expect(changed(todo('2198-06-01'), { freq: 'year', ends: 'day' })).toMatchObject({ until: '2199-12-31' })
})

test('a rule begins on the first of its days', () => {
  const of = todo('2026-11-22')
  expect(changed(of, { freq: 'week', weekdays: [5, 2] })).toEqual(
    ruled({ freq: 'week', every: 1, weekdays: [2, 5], mode: 'due', from: '2026-11-24' }),
  )
  expect(changed(of, { freq: 'day', mode: 'done', every: '3' })).toEqual(
    ruled({ freq: 'day', every: 3, mode: 'done', from: '2026-11-22' }),
  )
})

test('a rule for years keeps its month, whatever day it is chosen from', () => {
  const of = todo('2027-01-05', { freq: 'year', every: 1, days: [12], mode: 'due', from: '2020-12-12' })
  expect(changed(of, { every: '2' })).toMatchObject({ days: [12], every: 2, from: '2027-12-12' })
})

test('what gives no rule is said beside its field', () => {
  const of = todo('2026-11-24')
  const problems = (['', '0', '1000', 'two', '-1', '1.5'] as const).map((every) => changed(of, { every }))
  for (const problem of problems) expect(problem).toMatchObject({ field: 'every' })
  expect(changed(of, { weekdays: [] })).toMatchObject({ field: 'weekdays' })
  expect(changed(of, { weekdays: [], mode: 'done' })).toMatchObject({ mode: 'done' })
  expect(changed(of, { ends: 'times', times: '' })).toMatchObject({ field: 'times' })
  expect(changed(of, { ends: 'day', until: sunday })).toMatchObject({ field: 'until' })
  const old = todo('2026-11-24', { freq: 'day', every: 1, mode: 'due', from: '2026-11-01' })
  expect(changed(old, { ends: 'times', times: '5' })).toMatchObject({ field: 'times' })
})

test('the next five are those of the picture', () => {
  const weeks = changed(todo('2026-11-24'), { every: '2', weekdays: [2, 5], ends: 'times' })
  if ('field' in weeks) throw new Error(weeks.problem)
  expect(daysLeft(weeks, todo('2026-11-24'))).toEqual([
    '2026-11-24',
    '2026-11-27',
    '2026-12-08',
    '2026-12-11',
    '2026-12-22',
  ])
  const after = ruled({ freq: 'month', every: 1, mode: 'done', from: '2026-11-30', times: 3 })
  expect(daysLeft(after, todo('2026-11-30'))).toEqual(['2026-11-30', '2026-12-30', '2027-01-30'])
})

test('of a task that ends after so many times, those that it was done already are not among the next', () => {
  const rule = { freq: 'week', every: 1, mode: 'done', from: '2026-11-03', times: 4 }
  const of = { ...todo('2026-11-24', rule), done: 2 }
  const days = (changes: Partial<RepeatDraft>) => {
    const made = changed(of, changes)
    return 'field' in made ? made.problem : daysLeft(made, of)
  }
  expect(days({})).toEqual(['2026-11-24', '2026-12-01'])
  expect(days({ times: '3' })).toEqual(['2026-11-24'])
  expect(days({ times: '2' })).toBe('It has come back as often already.')
  // Another rule begins anew.
  expect(days({ every: '2', times: '2' })).toEqual(['2026-11-24', '2026-12-08'])
})

test('the two ways of counting say what they mean for this rule', () => {
  const of = todo('2026-12-31')
  const draft = draftOf(of)
  expect(doneLateWords({ ...draft, freq: 'month' }, of)).toBe('Done late, it still comes back on the 31st')
  expect(doneLateWords({ ...draft, weekdays: [5, 2] }, of)).toBe(
    'Done late, the days stay Tuesday and Friday',
  )
  expect(doneLateWords({ ...draft, freq: 'day' }, of)).toBe('Done late, the days stay the same')
  expect(doneLateWords({ ...draft, freq: 'year' }, of)).toBe('Done late, it still comes back on 31 December')
  expect(afterTickWords({ ...draft, freq: 'month' })).toBe('A month after you tick it')
  expect(afterTickWords({ ...draft, every: '2' })).toBe('Two weeks after you tick it')
  expect(afterTickWords({ ...draft, every: '30', freq: 'day' })).toBe('30 days after you tick it')
})
