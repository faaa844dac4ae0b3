import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '#testing/runs.ts'
import { longestDelay, settleDueReminder } from './late-reminders.ts'
import { nextReminder } from './next-reminder.ts'
import type { Reminder } from './reminder.ts'

const everyDay: Reminder['weekdays'] = [1, 2, 3, 4, 5, 6, 7]
const daily = { time: 450, weekdays: everyDay }
const at = (text: string) => Date.parse(`${text}Z`)

describe('a reminder that comes due', () => {
  test('is sent at its time, and then again the next day', () => {
    expect(settleDueReminder(daily, at('2026-11-20T07:30'), at('2026-11-20T07:30:02'), 'UTC', null)).toEqual({
      send: at('2026-11-20T07:30'),
      skipped: 0,
      next: at('2026-11-21T07:30'),
      remindedOn: '2026-11-20',
    })
  })

  test('is sent once if nothing ran for a while, up to twelve hours late', () => {
    const due = at('2026-11-20T07:30')
    expect(settleDueReminder(daily, due, due + longestDelay, 'UTC', null)).toMatchObject({
      send: due,
      skipped: 0,
    })
    expect(settleDueReminder(daily, due, due + longestDelay + 1, 'UTC', null)).toMatchObject({
      send: undefined,
      skipped: 1,
      next: at('2026-11-21T07:30'),
    })
  })

  test('after days in which nothing ran, is sent for today, and earlier ones are counted', () => {
    expect(settleDueReminder(daily, at('2026-11-17T07:30'), at('2026-11-20T09:00'), 'UTC', null)).toEqual({
      send: at('2026-11-20T07:30'),
      skipped: 3,
      next: at('2026-11-21T07:30'),
      remindedOn: '2026-11-20',
    })
  })

  test('is not sent if its alarm was set by the clocks of a zone that the person has left since', () => {
    const now = at('2026-11-20T06:31')
    expect(settleDueReminder(daily, at('2026-11-20T06:30'), now, 'America/New_York', null)).toEqual({
      send: undefined,
      skipped: 0,
      next: at('2026-11-20T12:30'),
      remindedOn: null,
    })
  })

  test('sends or counts every instant there was, sends one at most, and continues after now', () => {
    const zone = fc.constantFrom('Europe/Copenhagen', 'America/Nuuk', 'Pacific/Apia', 'Africa/Cairo', 'UTC')
    const reminder = fc.record({
      time: fc.integer({ min: 0, max: 1439 }),
      weekdays: fc.subarray(everyDay, { minLength: 1 }),
    })
    const start = fc.integer({ min: Date.UTC(2011, 0, 1), max: Date.UTC(2030, 0, 1) })
    const away = fc.oneof(
      fc.integer({ min: 0, max: 2 * longestDelay }),
      fc.integer({ min: 0, max: 30 * 2 * longestDelay }),
    )
    fc.assert(
      fc.property(reminder, start, away, zone, (each, begin, minutes, inZone) => {
        const first = nextReminder(each, begin, inZone)
        const now = first.at + minutes
        const instants = []
        for (let next = first; next.at <= now; next = nextReminder(each, next.at, inZone))
          instants.push(next.at)
        const { send, skipped, next } = settleDueReminder(each, first.at, now, inZone, null)
        expect(skipped).toBe(instants.filter((instant) => now - instant > longestDelay).length)
        expect(send).toBe(instants.findLast((instant) => now - instant <= longestDelay))
        expect(next).toBeGreaterThan(now)
      }),
      { numRuns: runs(10_000, 500) },
    )
  })
})
