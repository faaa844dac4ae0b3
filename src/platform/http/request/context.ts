import { randomUUID } from 'node:crypto'
import { pathOf } from './request-path.ts'
import type { TimedResponse } from './timed-response.ts'

/** A request as the server sees it, whether it came over a socket or from the same process. */
export interface HttpRequest {
  readonly method: string
  /** Path and query, as sent. */
  readonly target: string
  /** The address at the other end of the socket. */
  readonly address: string
  /** Node's response object; undefined for a request from the same process. */
  readonly outgoing: TimedResponse | undefined
  /** `name` is in lower case. */
  header(name: string): string | undefined
  /** Reads the whole body, or returns why reading stopped. Rejects when the body does not arrive in full. */
  readBody(limit: number): Promise<Uint8Array | 'too large'>
  /** Ends the connection at once. */
  cut(): void
}

export type HttpHeaders = Record<string, string | string[]>

export interface HttpResponse {
  status: number
  /** Names in their usual spelling, so that each appears only once. */
  headers: HttpHeaders
  /** A stream is read no faster than the client takes it, and is cancelled when the client disconnects. */
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | undefined
}

export type HttpHandler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>

/** One request on its way through the server. */
export class HttpContext {
  readonly request: HttpRequest
  /** The decoded path, without the query. */
  readonly path: string
  readonly requestId = randomUUID()
  /** The path pattern of the endpoint, for the log. */
  route = 'none'
  /** The session that the cookie belongs to, if the quick lookup found it. */
  signedIn: SignedIn | undefined
  /** Set if the client has the collection as of an earlier revision, and the server knows which rows have changed since. */
  changed: ChangedSince | undefined
  /** Finds out what `changed` is; set if the client names what it has. Called within the user's budget. */
  findChanged: (() => Promise<ChangedSince | undefined>) | undefined
  /** Whether only what has changed is of use: the whole collection is then not read. */
  wantsOnlyChanged = false
  /** Whether the client named what it has, but has to be sent the whole collection. */
  needsWhole = false
  /** Headers to add to the response, success or error. */
  readonly headers: HttpHeaders = { 'X-Request-Id': this.requestId }
  #user: string | undefined

  constructor(request: HttpRequest) {
    this.request = request
    this.path = pathOf(request.target)
  }

  /** The signed-in user's id. Only the guard of a signed-in endpoint sets it. */
  get user(): string {
    if (this.#user === undefined) throw new Error('Nobody is known to be signed in')
    return this.#user
  }

  set user(user: string) {
    this.#user = user
  }

  setHeader(name: string, value: string): void {
    this.headers[name] = value
  }

  addCookie(cookie: string): void {
    const before = this.headers['Set-Cookie']
    this.headers['Set-Cookie'] = Array.isArray(before) ? [...before, cookie] : [cookie]
  }
}

/** Which rows of a collection have changed since the client read it. */
export interface ChangedSince {
  /** The ETag of what the client has, as it named it. */
  since: string
  ids: readonly string[]
}

export interface SignedIn {
  user: string
  /** Identifies the sign-in session. */
  token: string
  /** The revision of the user's rows; undefined for a user who has not written anything yet. */
  revision: string | undefined
  /** The row by which the session was found, with what was read along; undefined once the request has changed any of it. */
  found: Readonly<Record<string, unknown>> | undefined
}
