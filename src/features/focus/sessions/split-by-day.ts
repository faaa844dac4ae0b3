import { type Day, dayOf, type Instant } from '#platform/calendar/day.ts'
import { dayValidUntil } from '#platform/calendar/next-day.ts'

/**
 * The whole seconds that stretches have on each of the user's days. Days without any are left out. Stretches must be in order and
 * must not overlap. The sum over the days equals the whole seconds of all stretches: a second that begins on one day and ends on
 * the next counts on the next.
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
      // A clock change that goes back across the start of a day leads from one day into the previous one.
      .sort((a, b) => (a.day < b.day ? -1 : 1))
  )
}
