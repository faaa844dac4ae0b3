import type { Shift } from '#platform/browser/clock/device-clock.ts'
import type { SettleDoubts } from './server-clock.ts'

/** Of more doubtful shifts than these the later ones count as sleep. */
const mostDoubts = 8

/** No estimate is off by more than this for another reason. */
const mostOff = 5_000

/**
 * Decides in which doubtful shifts the device's clock was set forward, and in which the device slept. If it was set, the estimate of
 * `before` is off by just as much: so those count as set without which it is between `least` and `most`, or close to that. If there
 * are none, the device slept, and the server's clock was set.
 */
export const settleDoubts: SettleDoubts = (device, { before, least, most }) => {
  const { shifts } = device
  const choices = [...choicesOf(shifts.filter(({ isUnsure }) => isUnsure))]
  const fitting = choices.find(({ sum }) => before - sum >= least && before - sum <= most)
  const distance = ({ sum }: { sum: number }) => Math.abs(before - sum - most)
  const nearest = choices.reduce((best, each) => (distance(each) < distance(best) ? each : best))
  const set = fitting?.set ?? (distance(nearest) < mostOff ? nearest.set : new Set())
  device.settle(
    shifts.map((shift) => ({
      ...shift,
      by: set.has(shift) || !shift.isUnsure ? shift.by : 0,
      isUnsure: false,
    })),
  )
  return fitting ? before - fitting.sum : most
}

/** Each choice of some of the shifts and their sum, that of none first. */
function* choicesOf(shifts: readonly Shift[]): Generator<{ set: ReadonlySet<Shift>; sum: number }> {
  for (let choice = 0; choice < 2 ** Math.min(shifts.length, mostDoubts); choice++) {
    const set = new Set(shifts.filter((_, place) => choice & (1 << place)))
    yield { set, sum: [...set].reduce((sum, { by }) => sum + by, 0) }
  }
}
