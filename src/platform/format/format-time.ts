import type { Instant } from '#platform/calendar/day.ts'
import { integerFormat } from './format-number.ts'

/** Formats a countdown as mm:ss. */
export function digits(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60]
  return `${String(minutes).padStart(2, '0')}:${String(rest).padStart(2, '0')}`
}

/**
 * Formats a duration, such as '40 s', '12 min 30 s', '25 min' or '1 h 15 min': to the second below an hour, to the minute
 * from an hour on.
 */
export function formatDuration(seconds: number): string {
  const hours = Math.floor(seconds / 3_600)
  const minutes = Math.floor((seconds % 3_600) / 60)
  const parts: [count: number, unit: string][] =
    hours > 0
      ? [
          [hours, 'h'],
          [minutes, 'min'],
        ]
      : [
          [minutes, 'min'],
          [seconds % 60, 's'],
        ]
  const shown = parts.filter(([count]) => count > 0)
  return shown.map(([count, unit]) => `${integerFormat.format(count)} ${unit}`).join(' ') || '0 s'
}

/** A rounded duration, as people say it: '45 min' for 44 min 57 s, '40 s'. Rounds to minutes from one minute on. */
export function formatRoundDuration(seconds: number): string {
  return formatDuration(seconds < 60 ? Math.round(seconds) : Math.round(seconds / 60) * 60)
}

/** The time of day in the person's zone, in the browser's format: '9:05 AM' or '09:05'. */
export function clockTime(instant: Instant, zone: string): string {
  return new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit', timeZone: zone }).format(
    instant,
  )
}

export function weekday(instant: Instant, zone: string): string {
  return new Intl.DateTimeFormat(undefined, { weekday: 'long', timeZone: zone }).format(instant)
}

/** Formats minutes after midnight, such as '07:30'. */
export function timeOfDay(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
}
