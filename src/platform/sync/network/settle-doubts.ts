import type { Shift } from '#platform/browser/clock/device-clock.ts'
import type { SettleDoubts } from './server-clock.ts'

/** The most doubtful shifts that are examined; any later ones count as sleep. */
const mostDoubts = 8

/** Milliseconds. An estimate that is wrong by more than this is wrong because the clock was set. */
const mostOff = 5_000

/**
 * Decides in which doubtful shifts the device's clock was set forward, and in which the device slept. A clock that was set makes
 * the estimate `before` wrong by just as much. So the shifts that count as set are those that, when subtracted, bring `before`
 * between `least` and `most`, or close; it may be too high by `late` anyway. If no shifts do, the device slept and the server's
 * clock was set.
 */
export const settleDoubts: SettleDoubts = (device, { before, late, least, most }) => {
  const { shifts } = device
  const choices = [...choicesOf(shifts.filter(({ isUnsure }) => isUnsure))]
  const fitting = choices.find(({ sum }) => before - sum >= least && before - sum <= most)
  const distance = ({ sum }: { sum: number }) => Math.abs(before - sum - most)
  const nearest = choices.reduce((best, each) => (distance(each) < distance(best) ? each : best))
  const set = fitting?.set ?? (distance(nearest) < Math.max(mostOff, late) ? nearest.set : new Set())
  device.settle(
    shifts.map((shift) => ({
      ...shift,
      by: set.has(shift) || !shift.isUnsure ? shift.by : 0,
      isUnsure: false,
    })),
  )
  return fitting ? before - fitting.sum : most
}

/** Yields every subset of the shifts with its sum in milliseconds, the empty subset first. */
function* choicesOf(shifts: readonly Shift[]): Generator<{ set: ReadonlySet<Shift>; sum: number }> {
  for (let choice = 0; choice < 2 ** Math.min(shifts.length, mostDoubts); choice++) {
    const set = new Set(shifts.filter((_, place) => choice & (1 << place)))
    yield { set, sum: [...set].reduce((sum, { by }) => sum + by, 0) }
  }
}
