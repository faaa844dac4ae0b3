import * as z from 'zod/mini'

/**
 * What `/api/events` says, each with the revision as its id: that nothing was missed; what was changed; or why it ends.
 * Of a change `lists` names, by what follows `/api/` in their path, what to read again: everything where it is left out.
 */
export const liveEventSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('current') }),
  z.object({ event: z.literal('changed'), lists: z.optional(z.array(z.string())) }),
  z.object({ event: z.literal('signed-out') }),
  z.object({ event: z.literal('crowded') }),
])

export type LiveEvent = z.infer<typeof liveEventSchema>
