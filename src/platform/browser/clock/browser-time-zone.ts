import { useSyncExternalStore } from 'react'
import { currentNameOf, formerNameOf } from '#platform/calendar/time-zone.ts'
import { watchWallClock } from './wall-clock.ts'

/** The current IANA name of the browser's time zone. */
export function browserTimeZone(): string {
  // Not of Intl, whose first use costs a slow phone a tenth of a second.
  return currentNameOf(Temporal.Now.timeZoneId())
}

/** The same as a hook: it follows a machine that moves to another zone while the page is open. */
export function useBrowserTimeZone(): string {
  return useSyncExternalStore(subscribe, browserTimeZone)
}

/** The zone under a name that this browser supports: an older browser may only know its former name, or not know it at all. */
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
