import type * as z from 'zod/mini'
import {
  type Day,
  dayNumber,
  earliestDayAnywhere,
  type Instant,
  instantFromWire,
  latestDayAnywhere,
} from '#platform/calendar/day.ts'
import type { ErrorResponse } from '#platform/http/request/error-response.ts'
import { instantOf, refuseField } from '#platform/http/row-calls/when.ts'
import type { newFocusSessionSchema } from '../focus-requests.ts'
import type { FocusSession } from '../focus-session.ts'
import { splitByDay } from '../split-by-day.ts'

type Days = FocusSession['days']

type Sent = Pick<
  z.output<typeof newFocusSessionSchema>,
  'kind' | 'duration' | 'started_at' | 'ended_at' | 'days' | 'at'
>

interface Placed {
  startedAt: Instant | null
  endedAt: Instant
  days: Days
}

interface Interval {
  from: Instant
  to: Instant
}

/** The time zone of a user, and the start of their day in minutes after midnight. */
export interface DayCalendar {
  time_zone: string
  day_start: number
}

const longestInterval = 7 * 86_400_000

/**
 * The earliest start of a session. Years before 1900 are not supported; the extra day allows for every time zone and day start.
 */
const earliest = Date.UTC(1900, 0, 2)

/**
 * Decides when a session took place, and its seconds on each day. Sent days stay as they are, since history never moves; without
 * them the seconds are split by the user's calendar. If the client's clock runs ahead, the whole session is moved back so that it
 * ends now.
 */
export async function placeSession(
  sent: Sent,
  now: Instant,
  calendarOf: () => Promise<DayCalendar>,
): Promise<Placed | { error: ErrorResponse }> {
  const [day] = sent.days ?? []
  if (sent.kind === 'total' && day) return placeTotal({ ...sent, day }, now)
  const reported = intervalOf(sent, instantOf(sent.at, now))
  if (reported.to - reported.from < sent.duration * 1000) {
    return { error: refuseField('ended_at', "A session can't be shorter than its duration") }
  }
  const ahead = Math.max(0, reported.to - now)
  const moved = { from: reported.from - ahead, to: reported.to - ahead }
  if (moved.from < earliest) {
    const field = sent.started_at === undefined ? 'ended_at' : 'started_at'
    return { error: refuseField(field, 'Expected a session from 1900 on') }
  }
  const placed = { startedAt: moved.from, endedAt: moved.to }
  if (sent.days) {
    const error = refuseDays(sent.days, reported)
    if (error) return { error }
    // A client whose clock runs far ahead sends days that have not begun anywhere yet. In that case split the moved session
    // again.
    const haveBegun = sent.days.every(({ day }) => day <= latestDayAnywhere(now))
    if (haveBegun) return { ...placed, days: sent.days.toSorted(byDay) }
  }
  if (moved.to - moved.from > longestInterval) {
    const message = 'A session longer than 7 days must include its days'
    return { error: refuseField('started_at', message) }
  }
  const { time_zone, day_start } = await calendarOf()
  return { ...placed, days: inProportion(splitByDay([moved], time_zone, day_start), sent.duration) }
}

/** Like `placeSession`, for a change of the time. The session keeps its start unless the change names a start or an end. */
export async function placeChange(
  sent: Omit<Sent, 'kind'>,
  { kind, started_at, days }: FocusSession,
  now: Instant,
  calendarOf: () => Promise<DayCalendar>,
): Promise<Placed | { error: ErrorResponse }> {
  const [only] = days
  if (kind === 'total' && only) {
    const total = sent.days ?? [{ ...only, seconds: sent.duration }]
    if (total.length > 1) return { error: refuseField('days', 'Expected the day of the total') }
    return placeSession({ ...sent, kind, started_at: undefined, days: total }, now, calendarOf)
  }
  const keepsStart = sent.started_at === undefined && sent.ended_at === undefined && started_at !== null
  const start = keepsStart ? instantFromWire(started_at) : sent.started_at
  return placeSession({ ...sent, kind, started_at: start }, now, calendarOf)
}

/** If the request has no end, the total of a day ends at midnight UTC after that day, or now if that is earlier. */
function placeTotal(
  { day, ended_at }: { day: Days[number]; ended_at?: Instant | undefined },
  now: Instant,
): Placed | { error: ErrorResponse } {
  const endedAt = Math.min(ended_at ?? (dayNumber(day.day) + 1) * 86_400_000, now)
  if (day.day > latestDayAnywhere(endedAt)) {
    return { error: refuseField('days', "This day isn't over anywhere by then.") }
  }
  return { startedAt: null, endedAt, days: [day] }
}

/** A missing start or end follows from the duration. A session with neither ends at `at`. */
function intervalOf({ duration, started_at, ended_at }: Sent, at: Instant): Interval {
  const length = duration * 1000
  const to = ended_at ?? (started_at === undefined ? at : started_at + length)
  return { from: started_at ?? to - length, to }
}

/** The request does not say which time zone and day start decided the days, so accept any day that some zone allows. */
function refuseDays(days: Days, { from, to }: Interval): ErrorResponse | undefined {
  const first = earliestDayAnywhere(from)
  const last = latestDayAnywhere(to)
  const touched = days.every(({ day }) => day >= first && day <= last)
  return touched
    ? undefined
    : refuseField('days', "One of these days isn't part of the session in any time zone.")
}

/**
 * Spreads the focused seconds over the days in proportion to the time between start and end, since nobody knows when the pauses
 * were. Without pauses, this returns the split unchanged.
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
