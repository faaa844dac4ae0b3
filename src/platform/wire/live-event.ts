import * as z from 'zod/mini'

/**
 * The events of `/api/events`, each with the revision as its id: nothing was missed, something was changed, or why the
 * stream ends. `lists` says what to read again, by what follows `/api/` in its path; without it, everything.
 */
export const liveEventSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('current') }),
  z.object({ event: z.literal('changed'), lists: z.optional(z.array(z.string())) }),
  z.object({ event: z.literal('signed-out') }),
  z.object({ event: z.literal('crowded') }),
])

export type LiveEvent = z.infer<typeof liveEventSchema>
