import { currentNameOf } from '#platform/calendar/time-zone.ts'

/** As people write it. */
export function nameOfTimeZone(zone: string): string {
  return currentNameOf(zone).replaceAll('_', ' ')
}
