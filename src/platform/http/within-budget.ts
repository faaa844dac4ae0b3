import { type Endpoint, isHeavy } from './endpoint.ts'
import { ClientGone, Place } from './place.ts'
import type { Refusal } from './refusal.ts'
import type { UserBudgets } from './user-budget.ts'

/** What a short answer comes to, within what its user may cost: nobody is limited where there are no `budgets`. */
export async function withinBudget<T>(
  budgets: UserBudgets | undefined,
  endpoint: Endpoint,
  user: string,
  answer: () => Promise<T>,
): Promise<T | Refusal> {
  if (!budgets) return answer()
  if (!isHeavy(endpoint)) return budgets.light(user, answer)
  const place = await budgets.enter(user)
  // Nobody can be gone of whom no connection was named.
  if (place === 'gone') throw new ClientGone('Nobody waits for the answer')
  if (!(place instanceof Place)) return place
  try {
    return await place.step(answer)
  } finally {
    place.leave()
  }
}
