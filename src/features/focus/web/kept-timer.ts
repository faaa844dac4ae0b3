import * as z from 'zod'
import type { Kept } from '#platform/sync/kept.ts'
import { focusTimerOf } from '../focus-timer.ts'
import type { Standing } from '../standing.ts'
import { idle } from '../timer.ts'
import { focusTimerList } from './focus-timer-queries.ts'

const timer = focusTimerOf(z.string(), z.number())
const keptSchema = z.union([
  z.object({ timer, at: z.number() }),
  // An older build kept it on this device only.
  timer.transform((alone) => ({ timer: alone, at: 0 })),
])

/** The one timer of all devices, as this browser knows it. */
export const keptTimer: Kept<Standing, Standing> = {
  name: 'focus-timer',
  parse: (stored) => keptSchema.safeParse(stored).data ?? { timer: idle, at: 0 },
  list: focusTimerList,
}
