import { pause } from '#platform/sync/network/pause.ts'
import { type RequestResult, sendRequest } from '#platform/sync/network/request.ts'
import { formatRequestProblem, requestProblemOf } from '#platform/sync/network/request-problem.ts'

/** Milliseconds before a request that got no response is sent again; after the last one it gives up. */
const retryDelays = [1_000, 3_000, 6_000]
/** The total of milliseconds to wait at the server's request: a large account is imported bit by bit. */
const maxWait = 600_000

/** Sends a request, again and again until it gets a response. What it asks for may be done twice. */
export async function sendPatiently(
  { path, body }: { path: string; body: object },
  account: string,
  signal: AbortSignal,
): Promise<RequestResult> {
  let unanswered = 0
  let waited = 0
  for (;;) {
    const result = await sendRequest({ method: 'POST', path, body }, account, signal)
    if (result.kind !== 'none' || signal.aborted) return result
    if (result.retryAfter === undefined) {
      const wait = retryDelays[unanswered]
      if (wait === undefined) return result
      unanswered += 1
      await pause(wait, signal)
    } else {
      waited += result.retryAfter
      if (waited > maxWait) return result
      await pause(result.retryAfter, signal)
    }
  }
}

/** Why there is no response that was hoped for, for the person who waits for it. */
export function reasonOf(result: RequestResult): string {
  // Only a server that was reached says when to retry.
  if (result.kind === 'none' && result.retryAfter !== undefined) return 'The server is busy. Try again later.'
  if (result.kind === 'none' || result.kind === 'done') return formatRequestProblem(requestProblemOf(result))
  if (result.kind === 'signed-out') return "You're signed out."
  const { message, fields = {} } = result.failure
  const [where] = Object.keys(fields)
  return where === undefined ? message : `${message.replace(/\.$/, '')} (${where}).`
}
