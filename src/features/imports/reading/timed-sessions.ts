import { splitByDay } from '#features/focus/sessions/split-by-day.ts'
import type { Instant } from '#platform/calendar/day.ts'
import { instantOfWallTime } from '#platform/calendar/wall-time.ts'
import type { ReaderContext, ReadSession } from './reading.ts'
import type { WrittenTime } from './written-times.ts'

/** The most seconds that a focus session may have. */
const mostSeconds = 86_400

interface TimedSpan {
  /** A local time in the person's zone. */
  start: WrittenTime
  end?: WrittenTime | undefined
  /** The focused time in seconds. If undefined, all the time between start and end. */
  duration?: number | undefined
}

/**
 * The focus session of a row with start and end, or why it cannot be imported. The file's duration is exact, but clocks may have
 * been set back between start and end. So the session ends no earlier than its start plus its duration.
 */
export function timedSession(
  key: string,
  { start, end, duration }: TimedSpan,
  context: ReaderContext,
): { session: ReadSession; changed: string[] } | { refused: string } {
  const from = instantOf(start, context.timeZone)
  const written = end && instantOf(end, context.timeZone)
  const seconds = duration ?? (written === undefined ? 0 : Math.round((written - from) / 1000))
  if (seconds < 0) return { refused: 'It ends before it begins' }
  if (seconds === 0) return { refused: written === undefined ? 'It has no end' : 'It took no time' }
  const kept = Math.min(seconds, mostSeconds)
  const whole = Math.max(written ?? 0, from + seconds * 1000)
  const to = kept === seconds ? whole : from + kept * 1000
  if (to > context.now) return { refused: 'It ends in the future' }
  const days = splitByDay([{ from, to: from + kept * 1000 }], context.timeZone, context.dayStart)
  return {
    session: { key, kind: 'hand', start: from, end: to, duration: kept, days },
    changed: kept === seconds ? [] : ['It took more than 24 hours, of which the first 24 come'],
  }
}

function instantOf({ day, seconds = 0, instant }: WrittenTime, zone: string): Instant {
  if (instant !== undefined) return instant
  const minutes = Math.floor(seconds / 60)
  return instantOfWallTime({ day, time: minutes }, zone) + (seconds - minutes * 60) * 1000
}
