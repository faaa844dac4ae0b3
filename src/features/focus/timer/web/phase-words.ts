import { wordFor } from '#platform/format/words.ts'
import { isBreakKind } from '../phase.ts'
import { minutesPerSegment } from '../ring-segments.ts'
import type { Shown } from '../timer.ts'

/** The sentence below the title: what is running or comes next. A phase of 25 minutes is called by its usual name, Pomodoro. */
export function phaseSentence(shown: Shown, every: number): string {
  const { kind, length, completed } = shown
  const minutes = Math.round(length / 60)
  if (kind === 'flow') return 'Counting up, without an end'
  if (isBreakKind(kind)) {
    const next = `then session ${(completed % every) + 1} of ${every}`
    return `A ${kind === 'long_break' ? 'long ' : ''}break of ${inMinutes(minutes)}, ${next}`
  }
  if (minutes === 25) return 'Pomodoro Timer - 25 minutes of focused work'
  const sentence = `${inMinutes(minutes)} of focused work`
  const each = minutesPerSegment(minutes)
  return each === 1 ? sentence : `${sentence}, each segment is ${each} minutes`
}

/** Minutes are never turned into hours: a lengthened break can have more than a thousand. */
function inMinutes(minutes: number): string {
  return `${minutes} ${wordFor(minutes, 'minute')}`
}

/** The text inside the ring. */
export function statusWords({ status, kind }: Pick<Shown, 'status' | 'kind'>): string {
  if (isBreakKind(kind)) return status === 'finished' ? 'Ready to focus?' : 'Take a break!'
  return {
    idle: 'Ready to focus?',
    running: 'Stay focused!',
    paused: 'Paused',
    finished: 'Take a break!',
  }[status]
}

/** The text that announces the end of a phase. */
export function endWords(kind: Shown['kind']): string {
  return isBreakKind(kind) ? 'Your break is over' : "Time's up! Great work!"
}

/**
 * Shown for the 15 minutes in which the timer waits for an answer. Without one, the session ends at the instant of the question,
 * which is always a whole number of hours.
 */
export function unansweredWords({ secondsPassed }: Pick<Shown, 'secondsPassed'>): string {
  return `Without an answer, this session ends at ${Math.floor(secondsPassed / 3_600)} h.`
}

/** The break that is due after counting up for so many seconds: a fifth, in whole minutes. */
export function breakDue(seconds: number): string | undefined {
  const minutes = Math.floor(seconds / 60 / 5)
  return minutes === 0 ? undefined : `A break of ${minutes} min is due.`
}
