import { instantToWire } from '#platform/calendar/day.ts'
import type { FocusSession } from '../sessions/focus-session.ts'
import { splitByDay } from '../sessions/split-by-day.ts'
import { subjectFields } from '../subjects/focus-subject.ts'
import type { Focused } from './timer.ts'

/** The session to record for a run, for a user in time zone `zone` whose day begins `dayStart` minutes after midnight. */
export function sessionOfRun(
  { id, stretches, kind, subject }: Focused,
  zone: string,
  dayStart: number,
): FocusSession & { started_at: string } {
  const [first] = stretches
  const last = stretches.at(-1)
  if (!first || !last) throw new Error('A run without a second of focus cannot be recorded')
  const days = splitByDay(stretches, zone, dayStart)
  return {
    id,
    kind,
    ...subjectFields(subject),
    duration: days.reduce((sum, { seconds }) => sum + seconds, 0),
    started_at: instantToWire(first.from),
    ended_at: instantToWire(last.to),
    days,
  }
}
