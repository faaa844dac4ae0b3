import { type Endpoint, endpointWithContext } from '../endpoint/endpoint.ts'
import type { HttpContext } from '../request/context.ts'
import { notSignedIn } from '../request/error-response.ts'
import type { Opening } from './event-stream.ts'
import type { EventStreams } from './event-streams.ts'

// A device opens one stream at a time, and another when its connection changes; a browser that reloads in a loop has to wait.
const openingLimit = { name: 'events', max: 60, seconds: 60, per: 'user', letsInUncounted: true } as const

export const eventPath = '/api/events'

/** The sign-in session of the caller, and how to check that it is still valid. */
type EventSession = Pick<Opening, 'session' | 'readRevision' | 'readChanged'>

/** Returns undefined when the caller's sign-in session has ended meanwhile. */
export type SessionOfEvents = (c: HttpContext) => Promise<EventSession | undefined>

export function eventEndpoint(streams: EventStreams, sessionOf: SessionOfEvents): Endpoint {
  return endpointWithContext({
    method: 'GET',
    path: eventPath,
    summary:
      'Server-sent events that say which lists of the user were changed, as long as the connection holds; Last-Event-ID names the last one known',
    limit: openingLimit,
    // Opening a stream reads nothing, and it stays open for hours.
    work: 'light',
    takes: {},
    responses: { 200: { mediaType: 'text/event-stream' } },
    async handle({ c, user }) {
      const eventSession = await sessionOf(c)
      if (!eventSession) return notSignedIn
      return {
        stream: streams.open({
          user,
          lastEventId: c.request.header('last-event-id'),
          ...eventSession,
          cut: () => c.request.cut(),
        }),
        // Tells a proxy to forward each event at once.
        headers: { 'X-Accel-Buffering': 'no' },
      }
    },
  })
}
