import * as z from 'zod'
import type { Kept } from '#platform/sync/kept.ts'
import { type FocusTimer, idle } from '../timer.ts'

const instant = z.number()
const run = z.object({
  id: z.string(),
  stretches: z.array(z.object({ from: instant, to: instant })),
})
const focusTimerSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('idle') }),
  z.object({ status: z.literal('running'), run, since: instant }),
  z.object({ status: z.literal('paused'), run }),
  z.object({ status: z.literal('finished'), run }),
])

/** The one timer of all tabs of this browser. */
export const keptTimer: Kept<FocusTimer> = {
  name: 'focus-timer',
  parse: (stored) => focusTimerSchema.safeParse(stored).data ?? idle,
}
