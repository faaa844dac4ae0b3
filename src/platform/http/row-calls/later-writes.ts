import * as z from 'zod/mini'
import type { Instant } from '#platform/calendar/day.ts'
import { clockTolerance } from '#platform/database/instants/future-rows.ts'
import { meetingLaterChanges, WrittenAhead } from '#platform/database/rows/later-changes.ts'
import type { Endpoint, Input, Responses, Success } from '../endpoint/endpoint.ts'
import type { ErrorResponse } from '../request/error-response.ts'

// What a write does that meets a later change (`docs/merging.md`): its response names what stays as it is. And while the clock of
// this server, or of another process, was ahead, changes were stored with instants that are still to come. They must not win
// over what a person does now.

/** What was made in this time before it arrives counts as later than an instant that is still to come. */
const justMade = 60_000
/** Each time the write can meet another part that is a little ahead. */
const mostTries = 5
/**
 * Mending reads all rows of an account, and two processes that are far apart could ask for it all the time. So an account isn't
 * mended again until this many times as long has passed as mending it took.
 */
const restFactor = 20
/** Milliseconds: the most that has to pass, and what has to after mending failed. */
const longestRest = 60_000
/** Of more accounts than these nobody remembers when they were mended. */
const mostRemembered = 10_000

/** The names of what stays as it is. */
const lateSchema = z.optional(z.array(z.string()))

export interface LaterWritesParts {
  clock: () => Instant
  /** A clock in milliseconds that nobody can set. */
  steady: () => number
  /** Sets all instants of an account that lie in the future to `becomes`. */
  mend(user: string, when: { now: Instant; becomes: Instant }): Promise<unknown>
}

/** The same calls, for those that change rows; their responses get `late`, with what stays as it is because a later change stands. */
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
      // Another process is a little ahead: what was done after seeing its change, or without saying when, is later.
      return stored > now + clockTolerance || made === undefined || made >= stored
    }
    try {
      const meeting = { isAhead, upTo: upTo > now ? upTo : undefined }
      const { result, kept } = await meetingLaterChanges(meeting, write)
      return kept.size === 0 || result.status >= 300 ? result : withLate(result, kept)
    } catch (error) {
      if (!(error instanceof WrittenAhead)) throw error
      const isMended = error.instant > now + clockTolerance && (await mend(now))
      // Later than that: of two changes at the same instant not always the one that arrives later stands.
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

/** When a write says it was made. */
function madeIn({ body, query }: Input): Instant | undefined {
  const said = typeof body === 'object' && body !== null && 'at' in body ? body.at : query.at
  const at = typeof said === 'string' ? Date.parse(said) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
