import { pause } from '#platform/sync/network/pause.ts'
import { type RequestResult, sendRequest } from '#platform/sync/network/request.ts'
import { formatRequestProblem, requestProblemOf } from '#platform/sync/network/request-problem.ts'

/** The delays in milliseconds before a request that got no response is sent again. After the last one, give up. */
const retryDelays = [1_000, 3_000, 6_000]
/**
 * The longest total wait in milliseconds when the server asks to wait. A large account is imported step by step, so the server
 * may ask often.
 */
const maxWait = 600_000

/** Sends a request again until a response comes. The server may carry it out twice, so it has to be safe to repeat. */
export async function sendPatiently(
  { path, json }: { path: string; json: string },
  account: string,
  signal: AbortSignal,
): Promise<RequestResult> {
  let unanswered = 0
  let waited = 0
  for (;;) {
    const result = await sendRequest({ method: 'POST', path, json }, account, signal)
    if (result.kind !== 'none' || signal.aborted) return result
    if (result.retryAfter === undefined) {
      const wait = retryDelays[unanswered]
      if (wait === undefined) return result
      unanswered += 1
      await pause(wait, signal).catch(() => {})
    } else {
      waited += result.retryAfter
      if (waited > maxWait) return result
      await pause(result.retryAfter, signal).catch(() => {})
    }
    // What was answered before counts, whenever the person cancels.
    if (signal.aborted) return result
  }
}

/** Explains to the waiting person why a request did not succeed. */
export function reasonOf(result: RequestResult): string {
  // A response with a time to try again comes only from a server that was reached, so the server is busy.
  if (result.kind === 'none' && result.retryAfter !== undefined) return 'The server is busy. Try again later.'
  if (result.kind === 'none' || result.kind === 'done') return formatRequestProblem(requestProblemOf(result))
  if (result.kind === 'signed-out') return "You're signed out."
  const { message, fields = {} } = result.failure
  const [where] = Object.keys(fields)
  return where === undefined ? message : `${message.replace(/\.$/, '')} (${where}).`
}
