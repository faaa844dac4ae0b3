import { isSameTimeZone } from '#platform/calendar/time-zone.ts'
import type { Preferences, PreferencesChange } from './preferences.ts'

/**
 * The change to send from a browser in `browserZone`; undefined if the zone is the same, or the person has chosen a fixed zone.
 */
export function followBrowser(preferences: Preferences, browserZone: string): PreferencesChange | undefined {
  if (!preferences.time_zone_follows_browser) return undefined
  if (isSameTimeZone(preferences.time_zone, browserZone)) return undefined
  return { time_zone: browserZone, time_zone_follows_browser: true }
}
