import * as z from 'zod/mini'
import type { Instant } from '#platform/calendar/day.ts'
import { clockTolerance } from '#platform/database/instants/future-rows.ts'
import { meetingLaterChanges, WrittenAhead } from '#platform/database/rows/later-changes.ts'
import type { Endpoint, Input, Responses, Success } from '../endpoint/endpoint.ts'
import type { ErrorResponse } from '../request/error-response.ts'

// How a write treats a later change that is already stored (`docs/merging.md`): the later change wins, and the response lists the
// fields that therefore stay as they are. Future instants are a special case. They were stored while the clock of this or another
// server process was ahead, and must not win over what a person does now.

/** Milliseconds. A change made at most this long before it arrives wins over a stored instant that is still in the future. */
const justMade = 60_000
/**
 * How often a write is tried. At each try it can find another future instant, stored by a process whose clock is a little ahead.
 */
const mostTries = 5
/**
 * Mending an account sets its future instants to now and reads all its rows. Two processes whose clocks differ a lot could
 * request that all the time. So an account is mended again only after a rest, which is this many times as long as the mending
 * took.
 */
const restFactor = 20
/** Milliseconds: the longest rest between two mendings, and the rest after a failed mending. */
const longestRest = 60_000
/** The most accounts whose rests are remembered; beyond that all rests are forgotten. */
const mostRemembered = 10_000

/** The names of the fields that stay as they are because a later change won. */
const lateSchema = z.optional(z.array(z.string()))

export interface LaterWritesParts {
  clock: () => Instant
  /** A clock in milliseconds that cannot be set back or forward. */
  steady: () => number
  /** Sets all future instants of an account to `becomes`. */
  mend(user: string, when: { now: Instant; becomes: Instant }): Promise<unknown>
}

/**
 * Returns the same endpoints. Endpoints that change rows get `late` in their responses: the fields that stay as they are because
 * a later change won.
 */
export function withLaterWrites(
  endpoints: readonly Endpoint[],
  { clock, steady, mend }: LaterWritesParts,
): Endpoint[] {
  const restsUntil = new Map<string, number>()
  const underWay = new Map<string, Promise<void>>()
  const run = async (user: string, now: Instant) => {
    const began = steady()
    let rest = longestRest
    try {
      await mend(user, { now, becomes: now - justMade })
      rest = Math.min(restFactor * (steady() - began), longestRest)
    } finally {
      if (restsUntil.size >= mostRemembered) restsUntil.clear()
      restsUntil.set(user, steady() + rest)
      underWay.delete(user)
    }
  }
  const mendOnce = async (user: string, now: Instant) => {
    const isRested = steady() >= (restsUntil.get(user) ?? Number.NEGATIVE_INFINITY)
    const mending = underWay.get(user) ?? (isRested ? run(user, now) : undefined)
    if (!mending) return false
    underWay.set(user, mending)
    await mending
    return true
  }
  return endpoints.map((endpoint) => {
    const { method, respondPlain, responses } = endpoint
    if (method === 'GET' || !respondPlain) return endpoint
    const respond = (input: Input, user: string) =>
      respondAfterLater(input, () => respondPlain(input, user), {
        clock,
        mend: (now) => mendOnce(user, now),
      })
    return {
      ...endpoint,
      responses: { ...responses, ...withLateIn(responses, 200), ...withLateIn(responses, 201) },
      respondPlain: respond,
      respond: (input, { user }) => respond(input, user),
    }
  })
}

function withLateIn(responses: Responses, status: 200 | 201): Responses {
  const { [status]: response } = responses
  return response instanceof z.ZodMiniObject ? { [status]: z.extend(response, { late: lateSchema }) } : {}
}

async function respondAfterLater(
  input: Input,
  write: () => Promise<Success | ErrorResponse>,
  { clock, mend }: { clock: () => Instant; mend(now: Instant): Promise<boolean> },
): Promise<Success | ErrorResponse> {
  const now = clock()
  const made = madeIn(input)
  const isFresh = made === undefined || made >= now - justMade
  let upTo = now
  for (let tries = 1; ; tries++) {
    const isAhead = (stored: Instant) => {
      if (!isFresh || tries === mostTries || stored <= upTo) return false
      // The stored change is only a little in the future, written by another process. A write wins if it was made after that
      // change, or does not say when it was made.
      return stored > now + clockTolerance || made === undefined || made >= stored
    }
    try {
      const meeting = { isAhead, upTo: upTo > now ? upTo : undefined }
      const { result, kept } = await meetingLaterChanges(meeting, write)
      return kept.size === 0 || result.status >= 300 ? result : withLate(result, kept)
    } catch (error) {
      if (!(error instanceof WrittenAhead)) throw error
      const isMended = error.instant > now + clockTolerance && (await mend(now))
      // Retry one millisecond later: between two changes at the same instant, the one that arrives later does not always win.
      if (!isMended) upTo = error.instant + 1
    }
  }
}

function withLate<Result extends Success | ErrorResponse>(result: Result, kept: ReadonlySet<string>): Result {
  const { body } = result
  return typeof body === 'object' && body !== null
    ? { ...result, body: { ...body, late: [...kept] }, text: undefined }
    : result
}

/** When a write was made, according to its body or query; undefined when it does not say. */
function madeIn({ body, query }: Input): Instant | undefined {
  const said = typeof body === 'object' && body !== null && 'at' in body ? body.at : query.at
  const at = typeof said === 'string' ? Date.parse(said) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
