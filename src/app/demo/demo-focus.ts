import type { ExportedFocusSession } from '#features/focus/exported-focus-session.ts'
import { splitByDay } from '#features/focus/split-by-day.ts'
import { instantToWire } from '#platform/calendar/day.ts'
import { type DemoDay, diceOf, instantAt } from './demo-days.ts'

/** The sessions that begin on a day, in order and apart: those of work, and now and then one late at night. */
export function demoFocus({ day, back, weekday, kind }: DemoDay, zone: string): ExportedFocusSession[] {
  if (kind === 'away' || kind === 'ill') return []
  const dice = diceOf('focus', day)
  const sessions: ExportedFocusSession[] = []
  const add = (begin: number, minutes: number) => {
    const from = instantAt(day, begin, zone)
    // It is pressed at any second, and a stopped one ends at any.
    const started = from + dice.between(0, 59) * 1_000
    const duration = minutes === 25 ? 1_500 : minutes * 60 - dice.between(0, 59)
    const ended = started + duration * 1_000
    sessions.push({
      id: dice.id(started),
      duration,
      started_at: instantToWire(started),
      ended_at: instantToWire(ended),
      days: splitByDay([{ from: started, to: ended }], zone, 0),
    })
  }

  let begin = kind === 'work' ? 8 * 60 + dice.between(30, 80) : 10 * 60 + dice.between(0, 240)
  for (let count = countOf(back, weekday, kind, dice); count > 0; count -= 1) {
    const minutes = dice.chance(0.13) ? dice.between(6, 24) : 25
    add(begin, minutes)
    begin += minutes + (dice.chance(0.6) ? dice.between(5, 12) : dice.between(40, 130))
  }
  // Before a day of work, something that could not wait: it ends after midnight.
  if ([7, 2, 3].includes(weekday) && dice.chance(0.07)) add(23 * 60 + dice.between(38, 55), 25)
  return sessions
}

/** The habit of it grew over the year; Fridays end early. */
function countOf(
  back: number,
  weekday: number,
  kind: DemoDay['kind'],
  dice: ReturnType<typeof diceOf>,
): number {
  if (kind === 'weekend') return dice.chance(0.16) ? dice.between(1, 2) : 0
  if (dice.chance(0.12)) return 0
  const most = back > 240 ? 4 : back > 100 ? 5 : 6
  return Math.max(1, dice.between(1, most) - (weekday === 5 ? 1 : 0))
}
