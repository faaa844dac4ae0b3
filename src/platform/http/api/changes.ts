import { changesResponseSchema, changesSchema } from '#platform/wire/changes.ts'
import { usualBounds } from '../budget/budget-bounds.ts'
import type { UserBudgets } from '../budget/user-budget.ts'
import { withinBudget } from '../budget/within-budget.ts'
import { type Endpoint, endpointWithContext, type Success } from '../endpoint/endpoint.ts'
import { pathFinder } from '../endpoint/path-finder.ts'
import { AtOnce } from '../guards/at-once.ts'
import { type ErrorResponse, errorResponse, tooManyRequests } from '../request/error-response.ts'
import { isPlain, pathOf, queryOf } from '../request/request-path.ts'
import { serialized } from '../responses/serialized.ts'
import { CollectedResponses } from './collected-responses.ts'

interface ChangesParts {
  /** The calls that can be sent together. */
  endpoints: readonly Endpoint[]
  budgets: UserBudgets | undefined
  /** Returns the error response when a call throws. */
  onUnexpectedError(error: unknown, of: { requestId: string; route: string }): Promise<ErrorResponse>
}

/** One change, with the endpoint that would handle it if it were sent alone. */
interface Found {
  endpoint: Endpoint
  make(user: string): Promise<Success | ErrorResponse>
}

const notAChange = errorResponse(
  400,
  'NOT_A_CHANGE',
  'Only changes to tasks, habits, focus sessions and preferences can be sent together.',
)

/** Limits of calls under way: each may hold responses that its client has not read yet. */
const mostUnderWay = { perUser: 32, inTotal: 512 }

/** How many rows of one request run in parallel. The limit leaves turns for the same user's other requests. */
const concurrency = usualBounds.lightSlots

/**
 * Makes several changes in one request, each through the endpoint that would handle it alone. Changes are independent,
 * except that the changes of one row stop at the first one that fails.
 */
export function changesEndpoint({
  endpoints,
  budgets,
  onUnexpectedError: surprised,
}: ChangesParts): Endpoint {
  const find = changeFinder(endpoints)
  const underWay = new AtOnce(mostUnderWay)
  return endpointWithContext({
    method: 'POST',
    path: '/api/changes',
    summary:
      'Make several changes: those of one row in their order, and no more of it after one that is refused',
    takes: { body: changesSchema },
    responses: { 200: changesResponseSchema },
    async handle({ user, body, c }) {
      const rows: Found[][] = []
      for (const row of body.rows) {
        const found = row.map((change) => find(change))
        if (!found.every((change) => change !== undefined)) return notAChange
        rows.push(found)
      }
      const make = ({ endpoint, make }: Found) =>
        withinBudget(budgets, endpoint, user, async () => serialized(await make(user))).catch(
          (error: unknown) => surprised(error, { requestId: c.requestId, route: endpoint.path }),
        )
      return {
        afterwards: async () => {
          const end = underWay.begin(user)
          if (!end) return tooManyRequests(1)
          const responses = new CollectedResponses(rows.length, c.request.outgoing)
          const made = eachConcurrently(rows, (row, place) => makeInOrder(row, make, responses, place))
          void Promise.all([made.catch(responses.fail), responses.ended]).then(end)
          return { written: responses.written() }
        },
      }
    },
  })
}

/** Returns undefined for a call that matches none of the endpoints. */
function changeFinder(endpoints: readonly Endpoint[]) {
  const { find } = pathFinder(endpoints)
  return ({ method, path, body }: { method: string; path: string; body?: unknown }): Found | undefined => {
    const [plain = ''] = path.split('?', 1)
    const found = isPlain(plain) ? find(method, pathOf(plain)) : undefined
    const respond = found?.endpoint.respondPlain
    if (!found || !respond) return undefined
    const { endpoint, params } = found
    const input = { params, query: queryOf(path), body: endpoint.takes.body && body }
    return { endpoint, make: (user) => respond(input, user) }
  }
}

async function makeInOrder(
  row: readonly Found[],
  make: (change: Found) => Promise<Success | ErrorResponse>,
  responses: CollectedResponses,
  place: number,
): Promise<void> {
  for (const change of row) {
    const { status, headers, text } = serialized(
      (await responses.room(place)) ? await make(change) : tooManyRequests(1),
    )
    const seconds = headers?.['Retry-After']
    const retry = seconds === undefined ? '' : `,"retry_after":${Number(seconds)}`
    responses.add(place, `{"status":${status},"body":${text}${retry}}`)
    if (status >= 300) break
  }
  responses.end(place)
}

async function eachConcurrently<Item>(
  items: readonly Item[],
  work: (item: Item, place: number) => Promise<void>,
): Promise<void> {
  const left = items.entries()
  const worker = async () => {
    for (const [place, item] of left) await work(item, place)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}
