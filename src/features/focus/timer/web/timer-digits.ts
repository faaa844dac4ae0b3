import { digits } from '#platform/format/format-time.ts'
import { isBreakKind } from '../phase.ts'
import type { Shown } from '../timer.ts'

/** What the timer shows: the time left, or what has passed while it counts up. */
export function timerDigits({
  kind,
  secondsLeft,
  secondsPassed,
}: Pick<Shown, 'kind' | 'secondsLeft' | 'secondsPassed'>): string {
  if (kind === 'flow') {
    const hours = Math.floor(secondsPassed / 3_600)
    return hours === 0 ? digits(secondsPassed) : `${hours}:${digits(secondsPassed % 3_600)}`
  }
  // A break is short: no digit that is always 0.
  return isBreakKind(kind) ? digits(secondsLeft).replace(/^0(?=\d:)/, '') : digits(secondsLeft)
}
