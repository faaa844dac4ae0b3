import { useSyncExternalStore } from 'react'
import { currentNameOf, formerNameOf } from '#platform/calendar/time-zone.ts'
import { watchWallClock } from './wall-clock.ts'

/** The current IANA name of the browser's time zone. */
export function browserTimeZone(): string {
  // Uses Temporal, since the first use of Intl costs a slow phone a tenth of a second.
  return currentNameOf(Temporal.Now.timeZoneId())
}

/** The browser's time zone as a hook. Follows a machine that moves to another zone while the page is open. */
export function useBrowserTimeZone(): string {
  return useSyncExternalStore(subscribe, browserTimeZone)
}

/**
 * A name of the zone that this browser supports: an older browser may know only the former name. Falls back to the browser's
 * own zone.
 */
export function supportedTimeZone(zone: string): string {
  return [zone, formerNameOf(zone)].find(isSupported) ?? Temporal.Now.timeZoneId()
}

function isSupported(timeZone: string | undefined): boolean {
  if (timeZone === undefined) return false
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone)
    return true
  } catch {
    return false
  }
}

function subscribe(onChange: () => void): () => void {
  return watchWallClock(onChange, () => Number.POSITIVE_INFINITY)
}
