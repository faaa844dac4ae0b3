import { useSyncExternalStore } from 'react'
import { watchWallClock } from './wall-clock.ts'

/** The IANA name of the zone that the browser is in, now. */
export function browserTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** The same, following a machine that is carried into another zone while the page is open. */
export function useBrowserTimeZone(): string {
  return useSyncExternalStore(subscribe, browserTimeZone)
}

function subscribe(onChange: () => void): () => void {
  return watchWallClock(onChange, () => Number.POSITIVE_INFINITY)
}
