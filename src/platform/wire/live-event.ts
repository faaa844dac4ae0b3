import * as z from 'zod/mini'

/**
 * What a device would be sent if it read a collection now: the response to `path` with the ETag in `response.since`, and its own
 * ETag, both without quotes.
 */
const carriedSchema = z.object({
  path: z.string(),
  tag: z.string(),
  response: z.looseObject({ since: z.string() }),
})
export type CarriedResponse = z.infer<typeof carriedSchema>

/**
 * The events of `/api/events`, each with the revision as its id. 'current': nothing was missed. 'changed': something changed.
 * `lists`: the collections to read again, each by its path after `/api/`; all of them if left out. `carried`: what some of them
 * are then read as, if that is short, so that a device that has them needs no request. 'signed-out' and 'crowded': why the stream
 * ends.
 */
export const liveEventSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('current') }),
  z.object({
    event: z.literal('changed'),
    lists: z.optional(z.array(z.string())),
    carried: z.optional(z.array(carriedSchema)),
  }),
  z.object({ event: z.literal('signed-out') }),
  z.object({ event: z.literal('crowded') }),
])

export type LiveEvent = z.infer<typeof liveEventSchema>
