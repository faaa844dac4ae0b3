import type { PushDevice } from '#features/reminders/reminder/reminder-wire.ts'
import { instantFromWire } from '#platform/calendar/day.ts'
import { dayAndMonth } from '#platform/format/format-day.ts'
import { formatPast, type Reader } from '#platform/format/format-past.ts'

/** What happened to the last reminder sent to a device, by the reader's wall clock. */
export function formatLastDelivery(last: PushDevice['last_delivery'], reader: Reader): string {
  if (!last) return 'Nothing sent yet'
  const { day, today, dayWord, time } = formatPast(instantFromWire(last.at), reader)
  const when = `${dayWord ?? `on ${dayAndMonth(day, today)}`} at ${time}`
  if (last.outcome === 'delivered') return `Last reminder sent ${when}`
  if (last.outcome === 'refused') return `Rejected by the browser's push service ${when}`
  return `Couldn't be delivered ${when}`
}
