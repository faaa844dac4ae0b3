import { type Instant, instantFromWire, instantToWire } from '#platform/calendar/day.ts'
import type { FocusSession } from '../focus-session.ts'

type Move = (at: Instant) => Instant

/** What is recorded of a run of the timer, or of a session that was entered by hand (`focus-queries.ts`). */
export interface FocusRecord {
  session: FocusSession
  label: string
  at?: string
  pressed?: string
}

/**
 * What a device records, with its instants where they stand by the server's clock. A session has as much less of the time in
 * which its clock was set as its ends come closer.
 */
export function movedRecord({ session, pressed, ...record }: FocusRecord, move: Move): FocusRecord {
  return {
    ...record,
    session: movedSession(session, move),
    ...(pressed !== undefined && { pressed: movedText(pressed, move) }),
  }
}

function movedSession(session: FocusSession, move: Move): FocusSession {
  const { started_at, ended_at } = session
  if (started_at === null) return { ...session, ended_at: movedText(ended_at, move) }
  const [from, to] = [started_at, ended_at].map((text) => movedText(text, move)) as [string, string]
  const less = Math.round((between(started_at, ended_at) - between(from, to)) / 1_000)
  const duration = Math.max(1, session.duration - Math.max(0, less))
  let left = duration
  const days = session.days.flatMap(({ day, seconds }) => {
    const kept = Math.min(seconds, left)
    left -= kept
    return kept > 0 ? [{ day, seconds: kept }] : []
  })
  return { ...session, started_at: from, ended_at: to, duration, days }
}

function between(from: string, to: string): number {
  return instantFromWire(to) - instantFromWire(from)
}

function movedText(text: string, move: Move): string {
  return instantToWire(move(instantFromWire(text)))
}
