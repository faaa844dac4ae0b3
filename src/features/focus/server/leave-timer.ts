import { type Instant, instantFromWire } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { TooManyRows } from '#platform/database/row-limits.ts'
import { sessionOfRun } from '../session-of-run.ts'
import { leave, type Run } from '../timer.ts'
import { addFocusSession } from './focus-store.ts'
import { readFocusTimer, storeFocusTimer } from './focus-timer-store.ts'

/** What a day is for the user. */
interface UserCalendar {
  time_zone: string
  day_start: number
}

/**
 * Whoever was the last to sign out has left the timer: what was focused until now is recorded, and it rests. The session
 * has the id of the run, so that of several who leave at once one records it.
 */
export async function leaveFocusTimer(
  db: Database,
  user: string,
  now: Instant,
  calendarOf: () => Promise<UserCalendar>,
): Promise<void> {
  const standing = await readFocusTimer(db, user)
  if (!standing) return
  const { timer, focused } = leave(standing.timer, now)
  if (timer === standing.timer) return
  // Where there is no room for it the timer stays as it is, and whoever signs in next can make some.
  if (focused && !(await record(db, user, focused, now, await calendarOf()))) return
  await storeFocusTimer(db, user, { timer, at: Math.max(now, standing.at + 1) })
}

async function record(
  db: Database,
  user: string,
  run: Run,
  at: Instant,
  { time_zone, day_start }: UserCalendar,
): Promise<boolean> {
  const { id, started_at, ended_at, ...session } = sessionOfRun(run, time_zone, day_start)
  const addition = {
    ...session,
    startedAt: instantFromWire(started_at),
    endedAt: instantFromWire(ended_at),
    at,
  }
  return !((await addFocusSession(db, user, id, addition)) instanceof TooManyRows)
}
