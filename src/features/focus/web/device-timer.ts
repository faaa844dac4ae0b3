import * as z from 'zod/mini'
import type { DeviceValue } from '#platform/sync/local-store/device-value.ts'
import { focusTimerOf } from '../focus-timer.ts'
import { type DeviceTimer, neverStarted, type StandingTimer } from '../timer-merge.ts'
import { focusTimerList } from './focus-timer-queries.ts'

const timer = focusTimerOf(z.string(), z.number())
const storedSchema = z.union([
  z.object({ timer, at: z.number(), byServer: timer }),
  // An older build sent it to the server by this device's clock.
  z.pipe(
    z.object({ timer, at: z.number() }),
    z.transform((stored) => ({ ...stored, byServer: stored.timer })),
  ),
  // A still older build stored it on this device only.
  z.pipe(
    timer,
    z.transform((alone) => ({ ...neverStarted, timer: alone })),
  ),
])

/** The one timer shared by all devices, as stored in this browser. */
export const deviceTimer: DeviceValue<DeviceTimer, StandingTimer> = {
  name: 'focus-phases',
  // A tab with a build that knows no phases would take them from it.
  former: 'focus-timer',
  parse: (stored) => storedSchema.safeParse(stored).data ?? neverStarted,
  collection: focusTimerList,
}
