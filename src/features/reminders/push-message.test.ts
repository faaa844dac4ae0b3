import { describe, expect, test } from 'vitest'
import type { Day } from '#platform/calendar/day.ts'
import { bodyOf, pushMessageOf } from './push-message.ts'

const today = '2026-11-20' as Day
const todo = (dueDay: string | null, title = 'Water the plants') =>
  ({ kind: 'todo', id: 'x', title, dueDay: dueDay as Day | null, today }) as const

describe('a reminder says', () => {
  test.each([
    [null, 'To do'],
    ['2026-11-20', 'Due today'],
    ['2026-11-21', 'Due tomorrow'],
    ['2026-11-27', 'Due on Friday 27 November'],
    ['2027-01-02', 'Due on Saturday, 2 January 2027'],
    ['2026-11-19', 'Was due on Thursday 19 November'],
  ])('of a to-do that is due %s: %s', (dueDay, body) => {
    expect(bodyOf(todo(dueDay))).toBe(body)
  })

  test('of a habit in which period it is still to be done', () => {
    const habit = { kind: 'habit', id: 'x', title: 'Read', day: today } as const
    expect(bodyOf({ ...habit, frequency: 'daily' })).toBe('Not done yet today')
    expect(bodyOf({ ...habit, frequency: 'weekly' })).toBe('Not done yet this week')
  })

  test.each(['\u0001', '日', '😀', '"', 'x'])(
    'no more than a push service takes, were it all of %j',
    (sign) => {
      const message = pushMessageOf(
        '01900000-0000-7000-8000-000000000001',
        todo('2026-11-27', sign.repeat(500)),
      )
      expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(3_000)
      expect(message.title.isWellFormed()).toBe(true)
      expect(message.title.endsWith('…')).toBe(sign.length * 500 > 200)
    },
  )
})
