import type * as z from 'zod/mini'
import { type Day, earliestDayAnywhere, type Instant, latestDayAnywhere } from '#platform/calendar/day.ts'
import type { Refusal } from '#platform/http/refusal.ts'
import { instantOf, refuseField } from '#platform/http/when.ts'
import type { FocusSession, newFocusSessionSchema } from '../focus-session.ts'
import { splitByDay } from '../split-by-day.ts'

type Days = FocusSession['days']

interface Placed {
  startedAt: Instant
  endedAt: Instant
  days: Days
}

interface Interval {
  from: Instant
  to: Instant
}

/** What a day is for the user. */
interface UserCalendar {
  time_zone: string
  day_start: number
}

const longestInterval = 7 * 86_400_000

/** With a day to spare: no zone and no day start leads from here into a year that a day cannot be of. */
const earliest = Date.UTC(1900, 0, 2)

/**
 * When a session was, and its seconds on each day: as they were sent, since history never moves, and otherwise as
 * `calendarOf` splits them. A session of a clock that runs ahead is moved back whole, so that it ends now.
 */
export async function placeSession(
  sent: z.output<typeof newFocusSessionSchema>,
  now: Instant,
  calendarOf: () => Promise<UserCalendar>,
): Promise<Placed | { refusal: Refusal }> {
  const said = intervalOf(sent, instantOf(sent.at, now))
  if (said.to - said.from < sent.duration * 1000) {
    return { refusal: refuseField('ended_at', "A session can't be shorter than its duration") }
  }
  const ahead = Math.max(0, said.to - now)
  const was = { from: said.from - ahead, to: said.to - ahead }
  if (was.from < earliest) {
    const field = sent.started_at === undefined ? 'ended_at' : 'started_at'
    return { refusal: refuseField(field, 'Expected a session from 1900 on') }
  }
  const placed = { startedAt: was.from, endedAt: was.to }
  if (sent.days) {
    const refusal = refuseDays(sent.days, said)
    if (refusal) return { refusal }
    // A clock that runs so far ahead names days that are not there yet: they are split anew, where the session is put.
    const areThere = sent.days.every(({ day }) => day <= latestDayAnywhere(now))
    if (areThere) return { ...placed, days: sent.days.toSorted(byDay) }
  }
  if (was.to - was.from > longestInterval) {
    const message = 'A session longer than 7 days must include its days'
    return { refusal: refuseField('started_at', message) }
  }
  const { time_zone, day_start } = await calendarOf()
  return { ...placed, days: inProportion(splitByDay([was], time_zone, day_start), sent.duration) }
}

/** What is left out of the start and the end follows from the duration; a session of which neither is said ends at `at`. */
function intervalOf(
  { duration, started_at, ended_at }: z.output<typeof newFocusSessionSchema>,
  at: Instant,
): Interval {
  const length = duration * 1000
  const to = ended_at ?? (started_at === undefined ? at : started_at + length)
  return { from: started_at ?? to - length, to }
}

/** The zone and the day start that the days were decided in are not known, so any on earth will do. */
function refuseDays(days: Days, { from, to }: Interval): Refusal | undefined {
  const first = earliestDayAnywhere(from)
  const last = latestDayAnywhere(to)
  const touched = days.every(({ day }) => day >= first && day <= last)
  return touched
    ? undefined
    : refuseField('days', "One of these days isn't part of the session in any time zone.")
}

/**
 * The focused seconds, spread over the days as the whole time between start and end is: where the pauses were is not known.
 * Without pauses that is the split itself.
 */
function inProportion(split: Days, duration: number): Days {
  const whole = split.reduce((sum, { seconds }) => sum + seconds, 0)
  let passed = 0
  return split
    .map(({ day, seconds }) => {
      const before = Math.floor((passed * duration) / whole)
      passed += seconds
      return { day, seconds: Math.floor((passed * duration) / whole) - before }
    })
    .filter(({ seconds }) => seconds > 0)
}

function byDay(a: { day: Day }, b: { day: Day }): number {
  return a.day < b.day ? -1 : 1
}
