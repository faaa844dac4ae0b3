import { begunRun, type FocusTimer, reset } from './timer.ts'
import type { StandingTimer } from './timer-merge.ts'

// A client that knows no phases takes every run for 25 minutes of focus. It must neither end a phase at a wrong instant nor
// lose what it does not know, whatever it does (`docs/merging.md`).

/** The timer as such a client can read it: while a run with a phase stands, there is none that it could show. */
export function forOlderClient(timer: FocusTimer): FocusTimer {
  if (timer.status === 'idle') return { status: 'idle', follows: timer.follows }
  if (timer.phase) return { status: 'idle', follows: timer.run.id }
  const { next, subject, plan, ...plain } = timer
  return { ...plain, run: { ...plain.run, before: undefined, recorded: undefined } }
}

/**
 * What the value of such a client means while another timer stands; undefined if it means nothing. A press on the run that
 * stands keeps its phase, but an end of it is let go, and so is a reset after that.
 */
export function fromOlderClient(sent: StandingTimer, standing: StandingTimer): StandingTimer | undefined {
  const { timer, at } = sent
  const { timer: there } = standing
  if (timer.status === 'idle') {
    const resets = there.status !== 'idle' && timer.follows === there.run.id
    if (!resets) return sent
    const { timer: kept, focused } = reset(there, at)
    // Of a focus that was over by then nobody has recorded anything yet: a device that knows of it still finds it ended.
    return focused ? undefined : { timer: kept, at }
  }
  if (there.status === 'idle') return { timer: { ...timer, next: there.next }, at }
  if (timer.run.id === there.run.id) {
    if (there.phase && timer.status === 'finished') return undefined
    const { phase, plan, next, subject } = there
    const { before, recorded } = there.run
    return { timer: { ...timer, run: { ...timer.run, before, recorded }, phase, plan, next, subject }, at }
  }
  // It was told that the run is over, for it cannot show it. Others must not believe that and lose what was focused.
  const lost = timer.run.follows === there.run.id && begunRun(there, at) !== undefined
  return { timer: { ...timer, run: { ...timer.run, follows: lost ? undefined : timer.run.follows } }, at }
}
