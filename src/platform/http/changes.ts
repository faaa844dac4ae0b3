import { type ChangeResponse, changesResponseSchema, changesSchema } from '#platform/wire/changes.ts'
import { usualBounds } from './budget-bounds.ts'
import type { HttpRequest } from './context.ts'
import { type Endpoint, endpointWithContext, headersFor, type Success } from './endpoint.ts'
import { type ErrorResponse, errorResponse } from './error-response.ts'
import { pathFinder } from './path-finder.ts'
import { isPlain, pathOf, queryOf } from './request-path.ts'
import type { UserBudgets } from './user-budget.ts'
import { withinBudget } from './within-budget.ts'

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

/** The concurrency of one request, so that the same user's other requests still get a turn. */
const concurrency = usualBounds.lightSlots

/**
 * Makes several changes in one request, each through the endpoint that it would be sent to alone. They are independent,
 * except that the changes of one row stop at the first one that fails.
 */
export function changesEndpoint({
  endpoints,
  budgets,
  onUnexpectedError: surprised,
}: ChangesParts): Endpoint {
  const find = changeFinder(endpoints)
  return endpointWithContext({
    method: 'POST',
    path: '/api/changes',
    summary:
      'Make several changes: those of one row in their order, and no more of it after one that is refused',
    takes: { body: changesSchema },
    answers: { 200: changesResponseSchema },
    async handle({ user, body, c }) {
      const rows: Found[][] = []
      for (const row of body.rows) {
        const found = row.map((change) => find(change, c.request))
        if (!found.every((change) => change !== undefined)) return notAChange
        rows.push(found)
      }
      const make = ({ endpoint, make }: Found) =>
        withinBudget(budgets, endpoint, user, () => make(user)).catch((error: unknown) =>
          surprised(error, { requestId: c.requestId, route: endpoint.path }),
        )
      return {
        afterwards: async () => ({
          status: 200,
          body: { rows: await mapConcurrently(rows, (row) => makeInOrder(row, make)) },
        }),
      }
    },
  })
}

/** Returns undefined for a call that is none of the endpoints. */
function changeFinder(endpoints: readonly Endpoint[]) {
  const { find } = pathFinder(endpoints)
  return (
    { method, path, body }: { method: string; path: string; body?: unknown },
    request: HttpRequest,
  ): Found | undefined => {
    const [plain = ''] = path.split('?', 1)
    const found = isPlain(plain) ? find(method, pathOf(plain)) : undefined
    const answer = found?.endpoint.answerPlain
    if (!found || !answer) return undefined
    const { endpoint, params } = found
    const headers = headersFor(endpoint, request)
    const input = { params, query: queryOf(path), headers, body: endpoint.takes.body && body }
    return { endpoint, make: (user) => answer(input, user) }
  }
}

async function makeInOrder(
  row: readonly Found[],
  make: (change: Found) => Promise<Success | ErrorResponse>,
): Promise<ChangeResponse[]> {
  const answered: ChangeResponse[] = []
  for (const change of row) {
    const { status, body, headers } = await make(change)
    const seconds = headers?.['Retry-After']
    answered.push({
      status,
      body,
      ...(seconds !== undefined && { retry_after: Number(seconds) }),
    })
    if (status >= 300) break
  }
  return answered
}

async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const left = items.entries()
  const worker = async () => {
    for (const [place, item] of left) results[place] = await work(item)
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return results
}
