import type { WeekStart } from '#platform/calendar/week.ts'
import type { PreferencesChange } from '../preferences.ts'
import { nameOfTimeZone } from '../time-zones.ts'

export const themeNames = { system: 'System', light: 'Light', dark: 'Dark' } as const

export const weekdayNames: Record<WeekStart, string> = {
  1: 'Monday',
  2: 'Tuesday',
  3: 'Wednesday',
  4: 'Thursday',
  5: 'Friday',
  6: 'Saturday',
  7: 'Sunday',
}

/** Minutes after midnight as the clock shows them: '03:30'. */
export function timeOfDay(minutes: number): string {
  const twoDigits = (number: number) => String(number).padStart(2, '0')
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}

/** What was changed, for someone who has to be told that it was not saved. */
export function changeInWords(change: PreferencesChange): string {
  const words: string[] = []
  if (change.time_zone_follows_browser) words.push('Time zone: Follow this browser')
  else if (change.time_zone !== undefined) words.push(`Time zone: ${nameOfTimeZone(change.time_zone)}`)
  if (change.day_start !== undefined) words.push(`Day starts at: ${timeOfDay(change.day_start)}`)
  if (change.week_start !== undefined) words.push(`Week starts on: ${weekdayNames[change.week_start]}`)
  if (change.theme !== undefined) words.push(`Theme: ${themeNames[change.theme]}`)
  return words.join(', ')
}

const kept = 'Days already recorded stay as they are.'

/** What follows from a change, for someone who has just made it. `timeZone` is the one that counts since. */
export function meaningOf(change: PreferencesChange, timeZone: string): string {
  const zone = nameOfTimeZone(timeZone)
  if (change.time_zone_follows_browser) return `Your days now use this browser's time zone, ${zone}. ${kept}`
  if (change.time_zone !== undefined)
    return `Your days now use the time zone ${zone}, wherever you are. ${kept}`
  if (change.day_start === 0) return `Your day now starts at midnight. ${kept}`
  if (change.day_start !== undefined)
    return `Your day now starts at ${timeOfDay(change.day_start)}. Hours before that count toward the previous day. ${kept}`
  if (change.week_start !== undefined)
    return `Your week now starts on ${weekdayNames[change.week_start]}. Weekly habits now use these weeks, including past ones.`
  if (change.theme === 'system') return 'Daymark now matches the theme of each of your devices.'
  if (change.theme !== undefined) return `Daymark is now ${change.theme} on all your devices.`
  return ''
}
