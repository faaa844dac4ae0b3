import { addDays } from '#platform/calendar/day.ts'
import type { WallTime } from '#platform/calendar/wall-time.ts'

/** A duration as in RFC 5545, '-P1DT9H', in minutes. */
export function minutesOfDuration(text: string): number | undefined {
  const [all, sign, weeks, days, hours, minutes] =
    /^([+-])?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:\d+S)?)?$/i.exec(text.trim()) ?? []
  if (all === undefined) return undefined
  const number = (digits: string | undefined) => Number(digits ?? 0)
  const total = (number(weeks) * 7 + number(days)) * 1_440 + number(hours) * 60 + number(minutes)
  return sign === '-' ? -total : total
}

/** The local time after so many minutes, or before if `minutes` is negative. */
export function later({ day, time }: WallTime, minutes: number): WallTime {
  const total = time + minutes
  return { day: addDays(day, Math.floor(total / 1_440)), time: ((total % 1_440) + 1_440) % 1_440 }
}
