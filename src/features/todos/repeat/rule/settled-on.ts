import type { Day } from '#platform/calendar/day.ts'
import type { Occurrence } from './repeat.ts'

/**
 * The day on which an occurrence counts as done or skipped when a person changes its state; null if it is open. `due`: its due
 * day, which may be the day it was moved to.
 */
export function settledOn(
  state: Occurrence['state'],
  { was, due, today }: { was: Pick<Occurrence, 'done_on'>; due: Day; today: Day },
): Day | null {
  if (state === 'open') return null
  // An occurrence skipped before it is due counts as skipped on its due day, so that the next one comes after that day.
  const now = state === 'skipped' && due > today ? due : today
  // In mode 'done' the next occurrence is counted from the stored day, so keep it. But nothing is done in the future.
  const stays = was.done_on !== null && (state === 'skipped' || was.done_on <= today)
  return stays ? was.done_on : now
}
