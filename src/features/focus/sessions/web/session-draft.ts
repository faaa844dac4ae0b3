import { addDays, type Day, type Instant, instantToWire } from '#platform/calendar/day.ts'
import { typedMinutes } from '#platform/calendar/typed-minutes.ts'
import { instantOfWallTime, wallTimeOf } from '#platform/calendar/wall-time.ts'
import type { FocusSession } from '../focus-session.ts'
import { splitByDay } from '../split-by-day.ts'

/** The time of a session as typed into the form. */
export interface SessionDraft {
  /** The calendar day on which the session started. */
  day: Day
  /** The start in minutes after midnight; undefined while the typed text is not a time. `to` is the end in the same form. */
  from: number | undefined
  to: number | undefined
  /** The typed focus time; undefined until the person edits it. */
  focused: string | undefined
}

export type SessionTimes = Pick<FocusSession, 'duration' | 'started_at' | 'ended_at' | 'days'>

type DaySeconds = FocusSession['days'][number]

interface Span {
  started: Instant
  ended: Instant
}

interface Surroundings {
  timeZone: string
  dayStart: number
  now: Instant
}

/** A draft of a session that ends now and lasts this many minutes. */
export function newDraft(now: Instant, minutes: number, timeZone: string): SessionDraft {
  const from = wallTimeOf(now - minutes * 60_000, timeZone)
  return { day: from.day, from: from.time, to: wallTimeOf(now, timeZone).time, focused: undefined }
}

export function draftOf(session: FocusSession, timeZone: string): SessionDraft | undefined {
  if (session.started_at === null) return undefined
  const from = wallTimeOf(Date.parse(session.started_at), timeZone)
  return {
    day: from.day,
    from: from.time,
    to: wallTimeOf(Date.parse(session.ended_at), timeZone).time,
    focused: undefined,
  }
}

/** The focused minutes if the person has typed none: the time from start to end without the session's earlier pauses. */
export function minutesMeant(draft: SessionDraft, session: FocusSession | undefined, timeZone: string) {
  const span = spanOf(draft, session, timeZone)
  if (!span) return undefined
  const between = Math.round((span.ended - span.started - pausesOf(session)) / 60_000)
  return Math.max(1, between)
}

/**
 * The times to store, or the problem with the draft. `session` is the session that is corrected, if any. An unchanged start or
 * end keeps its seconds.
 */
export function timesOf(
  draft: SessionDraft,
  session: FocusSession | undefined,
  { timeZone, dayStart, now }: Surroundings,
): { times: SessionTimes } | { problem: string } {
  const span = spanOf(draft, session, timeZone)
  if (!span) return { problem: 'Enter when it started and ended, such as 9:30' }
  const { started, ended } = span
  if (ended > now) return { problem: 'It ends in the future' }
  const whole = Math.floor((ended - started) / 1_000)
  const seconds = focusedSeconds(draft, session, whole)
  if (seconds === undefined) return { problem: 'Type 45 for minutes, or 1h 30' }
  if (seconds > whole) return { problem: 'That is longer than from start to end' }
  if (seconds > 86_400) return { problem: 'At most 24 hours' }
  const days = daysOf(span, seconds, session, { timeZone, dayStart })
  return {
    times: {
      duration: seconds,
      started_at: instantToWire(started),
      ended_at: instantToWire(ended),
      days: seconds === session?.duration && isSameSpan(span, session) ? session.days : days,
    },
  }
}

/**
 * Splits the focused seconds over the days. A stored session tells only on which days its pauses were, so each pause stays on its
 * day as far as it fits. Any other time without focus is taken from the end.
 */
function daysOf(
  { started, ended }: Span,
  seconds: number,
  session: FocusSession | undefined,
  { timeZone, dayStart }: Pick<Surroundings, 'timeZone' | 'dayStart'>,
): DaySeconds[] {
  const whole = splitByDay([{ from: started, to: ended }], timeZone, dayStart)
  const before =
    session?.started_at == null
      ? []
      : splitByDay(
          [{ from: Date.parse(session.started_at), to: Date.parse(session.ended_at) }],
          timeZone,
          dayStart,
        )
  let left = whole.reduce((sum, day) => sum + day.seconds, 0) - seconds
  const take = (day: DaySeconds, most: number): DaySeconds => {
    const pause = Math.max(0, Math.min(most, day.seconds, left))
    left -= pause
    return { ...day, seconds: day.seconds - pause }
  }
  const pauseOn = (day: Day) => secondsOn(before, day) - secondsOn(session?.days ?? [], day)
  const paused = whole.map((day) => take(day, pauseOn(day.day)))
  return paused
    .toReversed()
    .map((day) => take(day, left))
    .toReversed()
    .filter((day) => day.seconds > 0)
}

function secondsOn(days: readonly DaySeconds[], day: Day): number {
  return days.find((each) => each.day === day)?.seconds ?? 0
}

function focusedSeconds({ focused }: SessionDraft, session: FocusSession | undefined, whole: number) {
  if (focused === undefined) return Math.max(1, whole - Math.floor(pausesOf(session) / 1_000))
  // This may be longer than a session can be, so that a value that is too long gets its own message.
  const minutes = typedMinutes(focused)
  return minutes == null ? undefined : minutes * 60
}

/** The start and end of the draft. A session that ends earlier in the day than it starts runs over midnight. */
function spanOf(
  { day, from, to }: SessionDraft,
  session: FocusSession | undefined,
  timeZone: string,
): Span | undefined {
  if (from === undefined || to === undefined) return undefined
  const before = session && draftOf(session, timeZone)
  const isSameDay = before?.day === day
  const started =
    session?.started_at != null && isSameDay && before?.from === from
      ? Date.parse(session.started_at)
      : instantOfWallTime({ day, time: from }, timeZone)
  const lastDay = to < from ? addDays(day, 1) : day
  const ended =
    session && isSameDay && before?.to === to && Date.parse(session.ended_at) > started
      ? Date.parse(session.ended_at)
      : instantOfWallTime({ day: lastDay, time: to }, timeZone)
  return ended - started < 1_000 ? undefined : { started, ended }
}

/** The pauses of the session, in milliseconds. */
function pausesOf(session: FocusSession | undefined): number {
  if (session?.started_at == null) return 0
  return Math.max(0, Date.parse(session.ended_at) - Date.parse(session.started_at) - session.duration * 1_000)
}

function isSameSpan(span: Span, session: FocusSession): boolean {
  return session.started_at === instantToWire(span.started) && session.ended_at === instantToWire(span.ended)
}
