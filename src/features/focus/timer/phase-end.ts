import type { Instant } from '#platform/calendar/day.ts'
import { isBreak } from './phase.ts'
import { type FocusTimer, settle, shownAt } from './timer.ts'

/** What to say when a phase has come to its end. */
export type PhaseEnd = 'focus is over' | 'break is over' | 'still going?'

/** What to say of the run whose end has come; undefined if it was paused, reset or left behind meanwhile. */
export function phaseEndOf(timer: FocusTimer, run: string, now: Instant): PhaseEnd | undefined {
  if (timer.status === 'idle') return undefined
  if (timer.run.id !== run) {
    // The break that has begun by itself.
    const follows = timer.status === 'running' && timer.run.follows === run && isBreak(timer.phase)
    return follows ? 'focus is over' : undefined
  }
  if (shownAt(timer, now).asks) return 'still going?'
  if (settle(timer, now).timer.status !== 'finished') return undefined
  return isBreak(timer.phase) ? 'break is over' : 'focus is over'
}
