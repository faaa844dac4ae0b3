import { type Day, dayOf, type Instant } from '#platform/calendar/day.ts'
import { dayValidUntil } from '#platform/calendar/next-day.ts'

/**
 * Splits stretches of time into whole seconds on each of the user's days, without days that have none. Stretches must be in order
 * and must not overlap. The seconds add up to the whole seconds of all stretches: a second that begins on one day and ends on the
 * next counts on the next.
 */
export function splitByDay(
  stretches: readonly { from: Instant; to: Instant }[],
  zone: string,
  dayStart: number,
): { day: Day; seconds: number }[] {
  const secondsOf = new Map<Day, number>()
  let passed = 0
  for (const { from, to } of stretches) {
    for (let at = from; at < to; ) {
      const day = dayOf(at, zone, dayStart)
      const until = Math.min(to, dayValidUntil(at, zone, dayStart))
      const before = Math.floor(passed / 1000)
      passed += until - at
      secondsOf.set(day, (secondsOf.get(day) ?? 0) + Math.floor(passed / 1000) - before)
      at = until
    }
  }
  return (
    [...secondsOf]
      .filter(([, seconds]) => seconds > 0)
      .map(([day, seconds]) => ({ day, seconds }))
      // When clocks go back across the start of a day, time returns to the previous day, so the days may be out of order.
      .sort((a, b) => (a.day < b.day ? -1 : 1))
  )
}
