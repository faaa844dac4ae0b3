import type { ExportedFocusSession } from '#features/focus/exported-focus-session.ts'
import { splitByDay } from '#features/focus/split-by-day.ts'
import { instantToWire } from '#platform/calendar/day.ts'
import { type DemoDay, instantAt, seededRandom } from './demo-days.ts'

/** The sessions that begin on a day, in order and without overlap: those of work, and now and then one late at night. */
export function demoFocus({ day, daysAgo, weekday, kind }: DemoDay, zone: string): ExportedFocusSession[] {
  if (kind === 'away' || kind === 'ill') return []
  const random = seededRandom('focus', day)
  const sessions: ExportedFocusSession[] = []
  const add = (begin: number, minutes: number) => {
    const from = instantAt(day, begin, zone)
    // A timer may start at any second, and one that is stopped may end at any second.
    const started = from + random.between(0, 59) * 1_000
    const duration = minutes === 25 ? 1_500 : minutes * 60 - random.between(0, 59)
    const ended = started + duration * 1_000
    sessions.push({
      id: random.id(started),
      kind: 'countdown',
      todo_id: null,
      habit_id: null,
      duration,
      started_at: instantToWire(started),
      ended_at: instantToWire(ended),
      days: splitByDay([{ from: started, to: ended }], zone, 0),
    })
  }

  let begin = kind === 'work' ? 8 * 60 + random.between(30, 80) : 10 * 60 + random.between(0, 240)
  for (let count = sessionCount(daysAgo, weekday, kind, random); count > 0; count -= 1) {
    const minutes = random.chance(0.13) ? random.between(6, 24) : 25
    add(begin, minutes)
    begin += minutes + (random.chance(0.6) ? random.between(5, 12) : random.between(40, 130))
  }
  // Before a workday, something that could not wait: it ends after midnight.
  if ([7, 2, 3].includes(weekday) && random.chance(0.07)) add(23 * 60 + random.between(38, 55), 25)
  return sessions
}

/** The number of sessions grew over the year; Fridays end early. */
function sessionCount(
  daysAgo: number,
  weekday: number,
  kind: DemoDay['kind'],
  random: ReturnType<typeof seededRandom>,
): number {
  if (kind === 'weekend') return random.chance(0.16) ? random.between(1, 2) : 0
  if (random.chance(0.12)) return 0
  const most = daysAgo > 240 ? 4 : daysAgo > 100 ? 5 : 6
  return Math.max(1, random.between(1, most) - (weekday === 5 ? 1 : 0))
}
