import { type Endpoint, isHeavy } from '../endpoint/endpoint.ts'
import type { ErrorResponse } from '../request/error-response.ts'
import { ClientGone, type OutgoingResponse, Slot } from './slot.ts'
import type { UserBudgets } from './user-budget.ts'

interface HeavyResponse<T> {
  /** The response to send; the slot is held until the client has received it. */
  outgoing?: OutgoingResponse | undefined
  /**
   * For a result that is produced while it is being sent. The remaining work runs in the slot of the request and then releases
   * the slot.
   */
  continueInSlot?: (response: T, slot: Slot) => T | undefined
}

/**
 * Calls an endpoint within its user's budget; without `budgets` nobody is limited. Rejects with `ClientGone` when the
 * client has disconnected.
 */
export async function withinBudget<T>(
  budgets: UserBudgets | undefined,
  endpoint: Endpoint,
  user: string,
  respond: () => Promise<T>,
  { outgoing, continueInSlot: goOn }: HeavyResponse<T> = {},
): Promise<T | ErrorResponse> {
  if (!budgets) return respond()
  if (!isHeavy(endpoint)) return budgets.light(user, respond)
  const slot = await budgets.enter(user, endpoint.method === 'GET' ? 'reads' : 'writes', outgoing)
  if (slot === 'gone') throw new ClientGone('Nobody waits for the answer')
  if (!(slot instanceof Slot)) return slot
  let continues = false
  try {
    const response = await slot.step(respond)
    const rest = goOn?.(response, slot)
    continues = rest !== undefined
    return rest ?? response
  } finally {
    // With a connection, the slot is released once the client has received the response.
    if (!outgoing && !continues) slot.release()
  }
}
