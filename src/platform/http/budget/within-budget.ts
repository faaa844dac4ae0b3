import { type Endpoint, isHeavy } from '../endpoint/endpoint.ts'
import type { ErrorResponse } from '../request/error-response.ts'
import { ClientGone, type OutgoingResponse, Slot } from './slot.ts'
import type { UserBudgets } from './user-budget.ts'

interface HeavyAnswer<T> {
  /** The response, which holds its slot until the client has received it. */
  outgoing?: OutgoingResponse | undefined
  /** For a result that is still being made while it is sent: the rest runs in the slot and then releases it. */
  continueInSlot?: (answered: T, slot: Slot) => T | undefined
}

/**
 * Calls an endpoint within its user's budget; without `budgets` nobody is limited. Rejects with `ClientGone` when the
 * client has disconnected.
 */
export async function withinBudget<T>(
  budgets: UserBudgets | undefined,
  endpoint: Endpoint,
  user: string,
  answer: () => Promise<T>,
  { outgoing, continueInSlot: goOn }: HeavyAnswer<T> = {},
): Promise<T | ErrorResponse> {
  if (!budgets) return answer()
  if (!isHeavy(endpoint)) return budgets.light(user, answer)
  const slot = await budgets.enter(user, endpoint.method === 'GET' ? 'reads' : 'writes', outgoing)
  if (slot === 'gone') throw new ClientGone('Nobody waits for the answer')
  if (!(slot instanceof Slot)) return slot
  let continues = false
  try {
    const answered = await slot.step(answer)
    const rest = goOn?.(answered, slot)
    continues = rest !== undefined
    return rest ?? answered
  } finally {
    // With a connection, the slot is released once the client has received the response.
    if (!outgoing && !continues) slot.release()
  }
}
