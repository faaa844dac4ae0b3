import type { Day } from '#platform/calendar/day.ts'
import type { Occurrence } from './repeat.ts'

/**
 * The day on which an occurrence counts as done or skipped, when a person changes what became of it; null if it is open. `due`: the
 * day by which it was due, to which it may have been moved.
 */
export function settledOn(
  state: Occurrence['state'],
  { was, due, today }: { was: Pick<Occurrence, 'done_on'>; due: Day; today: Day },
): Day | null {
  if (state === 'open') return null
  // What is skipped before it is due comes back after that day.
  const now = state === 'skipped' && due > today ? due : today
  // In mode 'done' the next ones are counted from that day: so it stays, but nothing is done in the future.
  const stays = was.done_on !== null && (state === 'skipped' || was.done_on <= today)
  return stays ? was.done_on : now
}
