import type { HttpContext } from './context.ts'
import { type Endpoint, endpointWithContext } from './endpoint.ts'
import type { Opening } from './event-stream.ts'
import type { EventStreams } from './event-streams.ts'
import { notSignedIn } from './refusal.ts'

// A device opens one at a time, and again when its connection changes; a browser that is reloaded in a loop is put off.
const openingLimit = { name: 'events', max: 60, seconds: 60, per: 'user', letsInUncounted: true } as const

export const eventPath = '/api/events'

/** By which sign-in session somebody asks, and how to look whether it goes on. */
export type SessionLook = Pick<Opening, 'session' | 'look'>

/** `lookOf` answers undefined when the sign-in session that asks has ended meanwhile. */
export function eventEndpoint(
  streams: EventStreams,
  lookOf: (c: HttpContext) => Promise<SessionLook | undefined>,
): Endpoint {
  return endpointWithContext({
    method: 'GET',
    path: eventPath,
    summary:
      'Server-sent events that say which lists of the user were changed, as long as the connection holds; Last-Event-ID names the last one known',
    limit: openingLimit,
    // It reads nothing, and goes on for hours.
    work: 'light',
    takes: {},
    answers: { 200: { mediaType: 'text/event-stream' } },
    async handle({ c, user }) {
      const sessionLook = await lookOf(c)
      if (!sessionLook) return notSignedIn
      const socket = c.env.incoming?.socket
      return {
        stream: streams.open({
          user,
          known: c.req.header('last-event-id'),
          ...sessionLook,
          cut: () => socket?.destroy(),
        }),
        // A proxy must pass on each as it comes.
        headers: { 'X-Accel-Buffering': 'no' },
      }
    },
  })
}
