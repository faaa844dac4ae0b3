import { currentNameOf } from '#platform/calendar/time-zone.ts'

/** The name of the time zone as people write it, with spaces for underscores. */
export function nameOfTimeZone(zone: string): string {
  return currentNameOf(zone).replaceAll('_', ' ')
}
