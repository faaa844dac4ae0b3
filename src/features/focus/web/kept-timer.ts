import * as z from 'zod/mini'
import type { Kept } from '#platform/sync/kept.ts'
import { focusTimerOf } from '../focus-timer.ts'
import { type KeptStanding, rest, type Standing } from '../standing.ts'
import { focusTimerList } from './focus-timer-queries.ts'

const timer = focusTimerOf(z.string(), z.number())
const keptSchema = z.union([
  z.object({ timer, at: z.number(), byServer: timer }),
  // An older build told the server of it by this device's clock.
  z.pipe(
    z.object({ timer, at: z.number() }),
    z.transform((known) => ({ ...known, byServer: known.timer })),
  ),
  // A still older one kept it on this device only.
  z.pipe(
    timer,
    z.transform((alone) => ({ ...rest, timer: alone })),
  ),
])

/** The one timer of all devices, as this browser knows it. */
export const keptTimer: Kept<KeptStanding, Standing> = {
  name: 'focus-timer',
  parse: (stored) => keptSchema.safeParse(stored).data ?? rest,
  list: focusTimerList,
}
