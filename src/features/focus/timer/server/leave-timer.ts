import { addFocusSession } from '#features/focus/sessions/server/focus-store.ts'
import type { DayCalendar } from '#features/focus/sessions/server/place-session.ts'
import type { SessionsChanged } from '#features/focus/sessions/server/session-habit-store.ts'
import { type Instant, instantFromWire } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { TooManyRows } from '#platform/database/row-limits.ts'
import { sessionOfRun } from '../session-of-run.ts'
import { type Focused, leave } from '../timer.ts'
import { readFocusTimer, storeFocusTimer } from './focus-timer-store.ts'

/**
 * Stops the timer when a user signs out of their last device: records the focused time so far, and resets the timer. The session
 * gets the id of the run, so that it is recorded once even if several devices sign out at the same time.
 */
export async function leaveFocusTimer(
  db: Database,
  user: string,
  now: Instant,
  calendarOf: () => Promise<DayCalendar>,
  sessionsChanged: SessionsChanged,
): Promise<void> {
  const standing = await readFocusTimer(db, user)
  if (!standing) return
  const { timer, focused } = leave(standing.timer, now)
  if (timer === standing.timer) return
  // If there is no room for the session, leave the timer as it is: the user can make room after the next sign-in.
  if (focused && !(await record(db, user, focused, now, await calendarOf(), sessionsChanged))) return
  await storeFocusTimer(db, user, { timer, at: Math.max(now, standing.at + 1) }, now)
}

async function record(
  db: Database,
  user: string,
  run: Focused,
  at: Instant,
  { time_zone, day_start }: DayCalendar,
  sessionsChanged: SessionsChanged,
): Promise<boolean> {
  const { id, started_at, ended_at, ...session } = sessionOfRun(run, time_zone, day_start)
  const addition = {
    ...session,
    startedAt: instantFromWire(started_at),
    endedAt: instantFromWire(ended_at),
    replaces: true,
    at,
  }
  return !((await addFocusSession(db, user, id, addition, sessionsChanged)) instanceof TooManyRows)
}
