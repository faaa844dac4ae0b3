import { describe, expect, test } from 'vitest'
import type { Day } from '#platform/calendar/day.ts'
import { bodyOf, type HabitSubject, pushMessageOf } from './push-message.ts'

const today = '2026-11-20' as Day
const todo = (dueDay: string | null, title = 'Water the plants') =>
  ({ kind: 'todo', id: 'x', title, dueDay: dueDay as Day | null, today }) as const

/** About Friday 20 November, in a week from Monday to Sunday. */
function habit(
  asks: 'day' | 'week' | 'month',
  today: string,
  more: Partial<HabitSubject> = {},
): HabitSubject {
  const lastDay = { day: '2026-11-20', week: '2026-11-22', month: '2026-11-30' }[asks]
  return {
    kind: 'habit',
    id: 'x',
    title: 'Read',
    asks,
    isLimit: false,
    soFar: null,
    day: '2026-11-20' as Day,
    today: today as Day,
    lastDay: lastDay as Day,
    until: Date.parse(lastDay) + 86_400_000,
    ...more,
  }
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
    ['day', '2026-11-20', 'Not done yet today'],
    ['day', '2026-11-21', 'Not done on Friday'],
    ['day', '2026-11-26', 'Not done on Friday'],
    ['day', '2026-11-27', 'Not done on Friday 20 November'],
    // The person has flown west since.
    ['day', '2026-11-19', 'Not done yet today'],
    ['week', '2026-11-22', 'Not done yet this week'],
    ['week', '2026-11-23', 'Not done last week'],
    ['week', '2026-11-29', 'Not done last week'],
    ['week', '2026-11-30', 'Not done in a previous week'],
    ['month', '2026-11-30', 'Not done yet this month'],
    ['month', '2026-12-01', 'Not done last month'],
    ['month', '2026-12-31', 'Not done last month'],
    ['month', '2027-01-01', 'Not done in a previous month'],
  ] as const)('of a habit whose %s it is about, on %s, whether that is over: %s', (asks, day, body) => {
    expect(bodyOf(habit(asks, day))).toBe(body)
  })

  test.each([
    [
      habit('day', today, { soFar: { reached: 2, target: 3, within: 'week' } }),
      'Not done yet today, 2 of 3 this week',
    ],
    [
      habit('day', today, { soFar: { reached: 0, target: 2, within: 5 } }),
      'Not done yet today, 0 of 2 in 5 days',
    ],
    [
      habit('day', today, { soFar: { reached: 3_500, target: 8_000, unit: 'glasses' } }),
      'Not done yet today, 3.5 of 8 glasses',
    ],
    [
      habit('month', today, { soFar: { reached: 12_000, target: 1_200_000, unit: 'km' } }),
      'Not done yet this month, 12 of 1,200 km',
    ],
    [habit('day', '2026-11-21', { soFar: { reached: 2, target: 3, within: 'week' } }), 'Not done on Friday'],
    [habit('day', today, { isLimit: true }), 'Nothing entered yet today'],
    [habit('day', '2026-11-21', { isLimit: true }), 'Nothing entered on Friday'],
  ])('how far it is: %o says %s', (subject, body) => {
    expect(bodyOf(subject)).toBe(body)
  })

  test('of a habit what is true once its period is over, for people whom it reaches later', () => {
    expect(pushMessageOf('ada', habit('day', today))).toMatchObject({
      body: 'Not done yet today',
      until: '2026-11-21T00:00:00.000Z',
      endedBody: 'Not done on Friday',
    })
    expect(pushMessageOf('ada', habit('week', today))).toMatchObject({
      until: '2026-11-23T00:00:00.000Z',
      endedBody: 'Not done last week',
    })
    const over = pushMessageOf('ada', habit('day', '2026-11-21'))
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
