import type { Instant } from '#platform/calendar/day.ts'

/**
 * The id of a run that does not begin its cycle. Like a UUIDv7, this UUIDv8 starts with an instant: the start of the run, by the
 * server's clock. The number of the phase (at most 4,095) and the random bits of the cycle's id follow. Two devices that begin
 * the same phase therefore create the same run, which is recorded once; no other phase gets this id.
 */
export function laterRunId(cycle: string, number: number, started: Instant): string {
  const instant = Math.max(0, started).toString(16).padStart(12, '0')
  const place = (number % 0x1000).toString(16).padStart(3, '0')
  return `${instant.slice(0, 8)}-${instant.slice(8)}-8${place}-${cycle.slice(19)}`
}
