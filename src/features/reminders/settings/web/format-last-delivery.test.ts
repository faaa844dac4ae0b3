import { expect, test } from 'vitest'
import type { Outcome } from '#features/reminders/reminder/reminder-wire.ts'
import { formatLastDelivery } from './format-last-delivery.ts'

const reader = {
  now: Date.parse('2026-11-20T12:00:00Z'),
  timeZone: 'Europe/Copenhagen',
  locale: 'en-GB',
}
const format = (at: string, outcome: Outcome = 'delivered') => formatLastDelivery({ at, outcome }, reader)

test("the last delivery is shown in the reader's wall-clock time", () => {
  expect(formatLastDelivery(null, reader)).toBe('Nothing sent yet')
  expect(format('2026-11-20T06:30:00Z')).toBe('Last reminder sent today at 7:30')
  expect(format('2026-11-19T22:30:00Z')).toBe('Last reminder sent yesterday at 23:30')
  expect(format('2026-11-10T06:30:00Z')).toBe('Last reminder sent on 10 November at 7:30')
  expect(format('2025-11-10T06:30:00Z')).toBe('Last reminder sent on 10 November 2025 at 7:30')
})

test('its day is in the language of the screens, whatever language the browser has', () => {
  const october = { at: '2026-10-10T05:30:00Z', outcome: 'delivered' } as const
  const text = formatLastDelivery(october, { ...reader, locale: 'de-DE' })
  expect(text).toMatch(/^Last reminder sent on 10 October at /)
})

test('a reminder that did not arrive is not called sent', () => {
  expect(format('2026-11-20T06:30:00Z', 'refused')).toBe(
    "Rejected by the browser's push service today at 7:30",
  )
  expect(format('2026-11-20T06:30:00Z', 'unreachable')).toBe("Couldn't be delivered today at 7:30")
})
