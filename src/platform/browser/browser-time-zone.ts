import { useSyncExternalStore } from 'react'
import { currentNameOf, formerNameOf } from '#platform/calendar/time-zone.ts'
import { watchWallClock } from './wall-clock.ts'

/** The current IANA name of the browser's time zone. */
export function browserTimeZone(): string {
  return currentNameOf(new Intl.DateTimeFormat().resolvedOptions().timeZone)
}

/** The same as a hook: it follows a machine that moves to another zone while the page is open. */
export function useBrowserTimeZone(): string {
  return useSyncExternalStore(subscribe, browserTimeZone)
}

/** The zone under a name that this browser supports: an older browser may only know its former name, or not know it at all. */
export function supportedTimeZone(zone: string): string {
  return [zone, formerNameOf(zone)].find(isSupported) ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
}

function isSupported(timeZone: string | undefined): boolean {
  if (timeZone === undefined) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}

function subscribe(onChange: () => void): () => void {
  return watchWallClock(onChange, () => Number.POSITIVE_INFINITY)
}
