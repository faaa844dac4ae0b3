import { addDays, dayOf, instantFromWire } from '#platform/calendar/day.ts'
import type { PushDevice } from '../reminder.ts'

interface Reader {
  /** Epoch milliseconds. */
  now: number
  /** IANA name. */
  timeZone: string
  /** The browser's own unless told. */
  locale?: string
}

/** What became of the last reminder that was sent to a device, by the clock on the wall of whoever reads it. */
export function lastDeliveryInWords(last: PushDevice['last_delivery'], reader: Reader): string {
  if (!last) return 'Nothing was sent yet'
  const when = momentInWords(instantFromWire(last.at), reader)
  if (last.outcome === 'delivered') return `Last reminder sent ${when}`
  if (last.outcome === 'refused') return `Refused by the browser's push service ${when}`
  return `Could not be delivered ${when}`
}

function momentInWords(at: number, { now, timeZone, locale }: Reader): string {
  const written = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone }).format(at)
  const time = written({ hour: 'numeric', minute: '2-digit' })
  const day = dayOf(at, timeZone, 0)
  const today = dayOf(now, timeZone, 0)
  if (day === today) return `today at ${time}`
  if (day === addDays(today, -1)) return `yesterday at ${time}`
  const sameYear = day.slice(0, 4) === today.slice(0, 4)
  return `on ${written({ day: 'numeric', month: 'long', ...(sameYear ? {} : { year: 'numeric' }) })} at ${time}`
}
