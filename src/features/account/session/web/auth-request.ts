import * as z from 'zod/mini'
import {
  formatRequestProblem,
  problemWithoutResponse,
  type RequestProblem,
} from '#platform/sync/network/request-problem.ts'
import { type Failure, failureSchema } from '#platform/wire/failure.ts'
import { type User, userSchema } from '../user.ts'

/** `failure` is the server's error; undefined if no response came from our server. `problem` then says what is known. */
export type AuthResponse =
  | { ok: true; user: User | undefined; email?: string | undefined; name?: string | undefined }
  | Failed

export interface Failed {
  ok: false
  failure: Failure | undefined
  problem: RequestProblem
}

/** `body` is the JSON of a response with that status; both are undefined if there was none. */
export function failed(status?: number, body?: unknown): Failed {
  const failure = failureSchema.safeParse(body).data
  return { ok: false, failure, problem: failure ? 'broken' : problemWithoutResponse(status) }
}

/** Why the request failed, in words for the person: the server's own message if it sent one. */
export function reasonOf({ failure, problem }: Omit<Failed, 'ok'>): string {
  return failure?.message ?? formatRequestProblem(problem)
}

/** Signs out. The timeout is shorter than for other calls, because without a response the sign-out is completed later. */
export function signOut(): Promise<AuthResponse> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  return send('/api/auth/sign-out', { method: 'POST', headers, body: '{}' }, 5_000)
}

const successSchema = z.object({
  user: z.optional(userSchema),
  email: z.optional(z.string()),
  name: z.optional(z.string()),
  url: z.nullish(z.string()),
  redirect: z.nullish(z.boolean()),
})

/**
 * `account` is the id of the user whom this screen shows. The server refuses the request if somebody else has signed in since.
 */
export function post(path: string, body: object, account?: string): Promise<AuthResponse> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(account === undefined ? {} : { 'x-daymark-user': account }),
  }
  return send(path, { method: 'POST', headers, body: JSON.stringify(body) })
}

export function get(path: string): Promise<AuthResponse> {
  return send(path, { headers: { accept: 'application/json' } })
}

async function send(path: string, options: RequestInit, timeout = 30_000): Promise<AuthResponse> {
  let status: number | undefined
  try {
    const response = await fetch(path, {
      ...options,
      signal: AbortSignal.timeout(timeout),
    })
    status = response.status
    const body: unknown = await response.json()
    if (!response.ok) return failed(status, body)
    const success = successSchema.parse(body)
    if (success.redirect && success.url) followRedirect(success.url)
    return { ok: true, user: success.user, email: success.email, name: success.name }
  } catch (error) {
    // Log the path without its query, which may hold a token.
    console.warn(`${options.method ?? 'GET'} ${path.replace(/\?.*/, '')} got no answer`, error)
    return failed(status)
  }
}

/** Redirects within our own origin only: a forged response must not send people elsewhere. */
function followRedirect(url: string) {
  const target = URL.parse(url, location.href)
  if (target?.origin === location.origin) location.assign(target)
}
