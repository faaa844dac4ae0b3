import { digits } from '#platform/format/format-time.ts'
import { isBreakKind } from '../phase.ts'
import type { Shown } from '../timer.ts'

/** The digits of the timer: the time left, or the time passed while counting up. */
export function timerDigits({
  kind,
  secondsLeft,
  secondsPassed,
}: Pick<Shown, 'kind' | 'secondsLeft' | 'secondsPassed'>): string {
  if (kind === 'flow') {
    const hours = Math.floor(secondsPassed / 3_600)
    return hours === 0 ? digits(secondsPassed) : `${hours}:${digits(secondsPassed % 3_600)}`
  }
  // Breaks are short, so leave out a leading 0 of the minutes.
  return isBreakKind(kind) ? digits(secondsLeft).replace(/^0(?=\d:)/, '') : digits(secondsLeft)
}
