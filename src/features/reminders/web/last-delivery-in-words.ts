import { instantFromWire } from '#platform/calendar/day.ts'
import { dayAndMonth } from '#platform/ui/day-words.ts'
import { pastInWords, type Reader } from '#platform/ui/past-in-words.ts'
import type { PushDevice } from '../reminder.ts'

/** What became of the last reminder that was sent to a device, by the clock on the wall of whoever reads it. */
export function lastDeliveryInWords(last: PushDevice['last_delivery'], reader: Reader): string {
  if (!last) return 'Nothing sent yet'
  const { day, today, dayWord, time } = pastInWords(instantFromWire(last.at), reader)
  const when = `${dayWord ?? `on ${dayAndMonth(day, today)}`} at ${time}`
  if (last.outcome === 'delivered') return `Last reminder sent ${when}`
  if (last.outcome === 'refused') return `Rejected by the browser's push service ${when}`
  return `Couldn't be delivered ${when}`
}
