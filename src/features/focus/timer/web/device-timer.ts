import * as z from 'zod/mini'
import type { DeviceValue } from '#platform/sync/collections/device-value.ts'
import { focusTimerOf } from '../focus-timer.ts'
import { type DeviceTimer, neverStarted, type StandingTimer } from '../timer-merge.ts'
import { focusTimerList } from './focus-timer-queries.ts'

const timer = focusTimerOf(z.string(), z.number())
const storedSchema = z.object({ timer, at: z.number(), byServer: timer })

/** The one timer shared by all devices, as stored in this browser. */
export const deviceTimer: DeviceValue<DeviceTimer, StandingTimer> = {
  name: 'focus-phases',
  parse: (stored) => storedSchema.safeParse(stored).data ?? neverStarted,
  collection: focusTimerList,
}
