import { type AnsweredChange, changesAnswerSchema, changesSchema } from '#platform/wire/changes.ts'
import { usualBounds } from './budget-bounds.ts'
import { type Endpoint, endpointWithContext, type PlainCall, type Success } from './endpoint.ts'
import { pathFinder } from './path-finder.ts'
import { type Refusal, refuse } from './refusal.ts'
import type { UserBudgets } from './user-budget.ts'
import { withinBudget } from './within-budget.ts'

interface ChangesParts {
  /** The calls that can be made together. */
  endpoints: readonly Endpoint[]
  budgets: UserBudgets | undefined
  /** What is answered when a call throws. */
  surprised(error: unknown, of: { requestId: string; route: string }): Promise<Refusal>
}

/** One change, with the endpoint that makes it when it is sent alone. */
interface Found {
  endpoint: Endpoint
  make(user: string): Promise<Success | Refusal>
}

const notAChange = refuse(
  400,
  'NOT_A_CHANGE',
  'Only changes to tasks, habits, focus sessions and preferences can be sent together.',
)

/** Of one request, so that the same user's other requests still get their turns. */
const sideBySide = usualBounds.lightPlaces

/**
 * Makes several changes in one request, each by the endpoint that it would be sent to alone. They do not depend on each
 * other, except that a row ends with its first change that was not made.
 */
export function changesEndpoint({ endpoints, budgets, surprised }: ChangesParts): Endpoint {
  const find = changeFinder(endpoints)
  return endpointWithContext({
    method: 'POST',
    path: '/api/changes',
    summary:
      'Make several changes: those of one row in their order, and no more of it after one that is refused',
    takes: { body: changesSchema },
    answers: { 200: changesAnswerSchema },
    async handle({ user, body, c }) {
      const rows: Found[][] = []
      for (const row of body.rows) {
        const found = row.map(find)
        if (!found.every((change) => change !== undefined)) return notAChange
        rows.push(found)
      }
      const make = ({ endpoint, make }: Found) =>
        withinBudget(budgets, endpoint, user, () => make(user)).catch((error: unknown) =>
          surprised(error, { requestId: c.get('requestId'), route: endpoint.path }),
        )
      return {
        afterwards: async () => ({
          status: 200,
          body: { rows: await forEachSideBySide(rows, (row) => makeInOrder(row, make)) },
        }),
      }
    },
  })
}

/** Undefined of whatever is none of the endpoints. */
function changeFinder(endpoints: readonly Endpoint[]) {
  const find = pathFinder(endpoints)
  return ({ method, path, body }: { method: string; path: string; body?: unknown }): Found | undefined => {
    const [simple = '', search = ''] = path.split(/\?(.*)/s)
    const found = find(method, simple)
    const answer = found?.endpoint.answerPlain
    if (!found || !answer) return undefined
    const { endpoint, params } = found
    const call: Omit<PlainCall, 'user'> = {
      params,
      query: queryOf(search),
      body: endpoint.takes.body && body,
    }
    return { endpoint, make: (user) => answer({ ...call, user }) }
  }
}

/** As the router reads it: of two of one name the first counts. */
function queryOf(search: string): Record<string, string> {
  return Object.fromEntries([...new URLSearchParams(search)].reverse())
}

async function makeInOrder(
  row: readonly Found[],
  make: (change: Found) => Promise<Success | Refusal>,
): Promise<AnsweredChange[]> {
  const answered: AnsweredChange[] = []
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

async function forEachSideBySide<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const left = items.entries()
  const workOff = async () => {
    for (const [place, item] of left) results[place] = await work(item)
  }
  await Promise.all(Array.from({ length: sideBySide }, workOff))
  return results
}
