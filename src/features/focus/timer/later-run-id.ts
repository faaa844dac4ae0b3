import type { Instant } from '#platform/calendar/day.ts'

/**
 * The id of a run that doesn't begin its cycle: a UUIDv8 that has the instant of its start by the server's clock in front,
 * as a UUIDv7 has, then the number of the phase (at most 4,095), and the random bits of the cycle's id. Two devices that begin
 * the same phase make the same run, and record it once; no other phase has this id.
 */
export function laterRunId(cycle: string, number: number, started: Instant): string {
  const instant = Math.max(0, started).toString(16).padStart(12, '0')
  const place = (number % 0x1000).toString(16).padStart(3, '0')
  return `${instant.slice(0, 8)}-${instant.slice(8)}-8${place}-${cycle.slice(19)}`
}
