import type { Instant } from '#platform/calendar/day.ts'

/**
 * The id of a run that doesn't begin its cycle: a UUIDv8 of the cycle, the number of the phase and its start by the
 * server's clock. Two devices that begin the same phase make the same run, and record it once. It keeps the instant in
 * front, as a UUIDv7 does, and the random bits of the cycle's id behind.
 */
export function laterRunId(cycle: string, number: number, started: Instant): string {
  const instant = Math.max(0, started).toString(16).padStart(12, '0')
  const place = (number % 0x1000).toString(16).padStart(3, '0')
  return `${instant.slice(0, 8)}-${instant.slice(8)}-8${place}-${cycle.slice(19)}`
}
