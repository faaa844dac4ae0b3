import type { RequestResult } from './request.ts'

/** Why a request failed: there is no connection, the server does not respond, or it responded with an error. */
export type RequestProblem = 'offline' | 'silent' | 'broken'

/** Thrown when a read got nothing to show. */
export class RequestProblemError extends Error {
  override name = 'Troubled'
  problem: RequestProblem

  constructor(message: string, problem: RequestProblem) {
    super(message)
    this.problem = problem
  }
}

/** The problem behind a failed request. A successful response that cannot be used counts as a server error. */
export function requestProblemOf(result: RequestResult): RequestProblem {
  if (result.kind !== 'none' || result.by === 'server') return 'broken'
  return problemWithoutResponse(result.status)
}

// A proxy sends these statuses when the server behind it does not respond.
const gatewayStatuses = new Set([502, 503, 504])

/**
 * The problem when our server did not respond. `status`: the status of a response that came from something else, such as a proxy
 * that replaced the server's error with a page.
 */
export function problemWithoutResponse(status?: number): RequestProblem {
  if (status !== undefined && status >= 500 && !gatewayStatuses.has(status)) return 'broken'
  return navigator.onLine === false ? 'offline' : 'silent'
}

export function formatRequestProblem(problem: RequestProblem): string {
  if (problem === 'offline') return "You're offline. Try again when you're back online."
  if (problem === 'silent') return "The server isn't responding. Try again in a moment."
  return 'Something went wrong on the server. Your connection is fine.'
}
