import { describe, expect, test } from 'vitest'
import type { Day } from '#platform/calendar/day.ts'
import { bodyOf, pushMessageOf } from './push-message.ts'

const today = '2026-11-20' as Day
const todo = (dueDay: string | null, title = 'Water the plants') =>
  ({ kind: 'todo', id: 'x', title, dueDay: dueDay as Day | null, today }) as const

/** About Friday 20 November, in a week from Monday to Sunday. */
function habit(frequency: 'daily' | 'weekly', today: string) {
  const lastDay = frequency === 'daily' ? '2026-11-20' : '2026-11-22'
  const until = Date.parse(lastDay) + 86_400_000
  const about = { day: '2026-11-20' as Day, today: today as Day, lastDay: lastDay as Day, until }
  return { kind: 'habit', id: 'x', title: 'Read', frequency, ...about } as const
}

describe('a reminder says', () => {
  test.each([
    [null, 'On your list'],
    ['2026-11-20', 'Due today'],
    ['2026-11-21', 'Due tomorrow'],
    ['2026-11-27', 'Due on Friday 27 November'],
    ['2027-01-02', 'Due on Saturday, 2 January 2027'],
    ['2026-11-19', 'Was due on Thursday 19 November'],
  ])('of a to-do that is due %s: %s', (dueDay, body) => {
    expect(bodyOf(todo(dueDay))).toBe(body)
  })

  test.each([
    ['daily', '2026-11-20', 'Not done yet today'],
    ['daily', '2026-11-21', 'Not done on Friday'],
    ['daily', '2026-11-26', 'Not done on Friday'],
    ['daily', '2026-11-27', 'Not done on Friday 20 November'],
    // The person has flown west since.
    ['daily', '2026-11-19', 'Not done yet today'],
    ['weekly', '2026-11-22', 'Not done yet this week'],
    ['weekly', '2026-11-23', 'Not done last week'],
    ['weekly', '2026-11-29', 'Not done last week'],
    ['weekly', '2026-11-30', 'Not done in a previous week'],
  ] as const)('of a %s habit on %s whether its period is over: %s', (frequency, day, body) => {
    expect(bodyOf(habit(frequency, day))).toBe(body)
  })

  test('of a habit what is true once its period is over, for people whom it reaches later', () => {
    expect(pushMessageOf('ada', habit('daily', today))).toMatchObject({
      body: 'Not done yet today',
      until: '2026-11-21T00:00:00.000Z',
      endedBody: 'Not done on Friday',
    })
    expect(pushMessageOf('ada', habit('weekly', today))).toMatchObject({
      until: '2026-11-23T00:00:00.000Z',
      endedBody: 'Not done last week',
    })
    const over = pushMessageOf('ada', habit('daily', '2026-11-21'))
    expect(over).not.toHaveProperty('until')
    expect(over).not.toHaveProperty('endedBody')
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
