import { timeOfDay } from '#platform/format/format-time.ts'
import { weekdayName } from '#platform/format/words.ts'
import type { PreferencesChange } from '../preferences.ts'
import { nameOfTimeZone } from '../time-zone-name.ts'
import { startPageNames } from './format-change.ts'

const pastDaysNote = 'Days already recorded stay as they are.'

/** Tells a person what the change that they have just made means. `timeZone` is the zone that applies from now on. */
export function describeEffect(change: PreferencesChange, timeZone: string): string {
  const zone = nameOfTimeZone(timeZone)
  if (change.time_zone_follows_browser)
    return `Your days now use this browser's time zone, ${zone}. ${pastDaysNote}`
  if (change.time_zone !== undefined)
    return `Your days now use the time zone ${zone}, wherever you are. ${pastDaysNote}`
  if (change.day_start === 0) return `Your day now starts at midnight. ${pastDaysNote}`
  if (change.day_start !== undefined)
    return `Your day now starts at ${timeOfDay(change.day_start)}. Hours before that count toward the previous day. ${pastDaysNote}`
  if (change.week_start !== undefined)
    return `Your week now starts on ${weekdayName(change.week_start)}. Weekly habits now use these weeks, including past ones.`
  if (change.theme === 'system') return 'Daymark now matches the theme of each of your devices.'
  if (change.start_page !== undefined) return `Daymark now opens with ${startPageNames[change.start_page]}.`
  if (change.theme !== undefined) return `Daymark is now ${change.theme} on all your devices.`
  return ''
}
