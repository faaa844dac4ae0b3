import type { Instant } from '#platform/calendar/day.ts'
import { isBreak } from './phase.ts'
import { type FocusTimer, settle, shownAt } from './timer.ts'

/** The message to announce when a phase reaches its end. */
export type PhaseEnd = 'focus is over' | 'break is over' | 'still going?'

/** The message for a run that has reached its end; undefined if the run was paused, reset or replaced meanwhile. */
export function phaseEndOf(timer: FocusTimer, run: string, now: Instant): PhaseEnd | undefined {
  if (timer.status === 'idle') return undefined
  if (timer.run.id !== run) {
    // A break that began by itself after the run.
    const follows = timer.status === 'running' && timer.run.follows === run && isBreak(timer.phase)
    return follows ? 'focus is over' : undefined
  }
  if (shownAt(timer, now).asks) return 'still going?'
  if (settle(timer, now).timer.status !== 'finished') return undefined
  return isBreak(timer.phase) ? 'break is over' : 'focus is over'
}
