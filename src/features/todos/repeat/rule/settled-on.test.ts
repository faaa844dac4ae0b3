import { expect, test } from 'vitest'
import { daySchema } from '#platform/calendar/day.ts'
import { settledOn } from './settled-on.ts'

const day = (text: string) => daySchema.parse(text)
const today = day('2026-11-20')
const never = { done_on: null }
const at = (due: string, done_on?: string) => ({
  due: day(due),
  today,
  was: done_on === undefined ? never : { done_on: day(done_on) },
})

test('what is done or skipped now is so today', () => {
  expect(settledOn('done', at('2026-11-18'))).toBe(today)
  expect(settledOn('done', at('2026-11-25'))).toBe(today)
  expect(settledOn('skipped', at('2026-11-18'))).toBe(today)
  expect(settledOn('open', at('2026-11-18', '2026-11-18'))).toBeNull()
})

test('what is skipped before it is due comes back after that day', () => {
  expect(settledOn('skipped', at('2026-11-25'))).toBe('2026-11-25')
})

test('what was done is called skipped, or the other way round, without moving those after it', () => {
  expect(settledOn('skipped', at('2026-11-10', '2026-11-12'))).toBe('2026-11-12')
  expect(settledOn('done', at('2026-11-10', '2026-11-12'))).toBe('2026-11-12')
})

test('nothing is done in the future, though it was skipped until then', () => {
  expect(settledOn('done', at('2026-11-25', '2026-11-25'))).toBe(today)
})
