import { useSyncExternalStore } from 'react'
import { formerNameOf, presentNameOf } from '#platform/calendar/time-zone.ts'
import { watchWallClock } from './wall-clock.ts'

/** The IANA name that the zone of the browser has today. */
export function browserTimeZone(): string {
  return presentNameOf(new Intl.DateTimeFormat().resolvedOptions().timeZone)
}

/** The same, following a machine that is carried into another zone while the page is open. */
export function useBrowserTimeZone(): string {
  return useSyncExternalStore(subscribe, browserTimeZone)
}

/** A zone by a name that this browser can count with: an older one may know it by its former name alone, or not at all. */
export function timeZoneKnownHere(zone: string): string {
  return [zone, formerNameOf(zone)].find(isKnown) ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
}

function isKnown(timeZone: string | undefined): boolean {
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
