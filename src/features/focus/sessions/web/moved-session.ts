import { type Instant, instantFromWire, instantToWire } from '#platform/calendar/day.ts'
import type { FocusSession } from '../focus-session.ts'

type Move = (at: Instant) => Instant

/** The arguments of `recordFocusSession` (`focus-queries.ts`): a run of the timer, or a session that the person typed in. */
export interface FocusRecord {
  session: FocusSession
  label: string
  at?: string
  pressed?: string
}

/**
 * Corrects the instants of a recorded session after the device's clock turned out to be wrong, so that they go by the server's
 * clock. If its start and end move closer together, the duration shrinks by the same amount.
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
