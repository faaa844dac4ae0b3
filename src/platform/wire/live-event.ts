import * as z from 'zod/mini'

/**
 * The events of `/api/events`, each with the revision as its id. 'current': nothing was missed. 'changed': something changed.
 * `lists`: the collections to read again, each by its path after `/api/`; all of them if left out. 'signed-out' and 'crowded':
 * why the stream ends.
 */
export const liveEventSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('current') }),
  z.object({ event: z.literal('changed'), lists: z.optional(z.array(z.string())) }),
  z.object({ event: z.literal('signed-out') }),
  z.object({ event: z.literal('crowded') }),
])

export type LiveEvent = z.infer<typeof liveEventSchema>
