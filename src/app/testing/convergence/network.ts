import type { Application } from '../application.ts'
import { type PlayedTime, turns } from './played-time.ts'

/** What may become of one request on its way. */
export type Fate =
  | 'answered'
  /** It is done, and the answer takes its time. */
  | 'slow'
  /** It never arrives. */
  | 'lost'
  /** It is done, but the answer never arrives. */
  | 'unanswered'
  /** It is done, and arrives once more when others have been done since. */
  | 'doubled'
  /** There is no answer, and it arrives when others have been done since. */
  | 'held'
  /** Something in between answers for a server that is not there. */
  | 'unavailable'
  /** The server fails before it does anything. */
  | 'broken'
  | 'signed-out'

/** What a server says that the request did not get into. */
const refusals = {
  unavailable: { status: 503, code: 'UNAVAILABLE' },
  broken: { status: 500, code: 'INTERNAL_ERROR' },
  'signed-out': { status: 401, code: 'NOT_SIGNED_IN' },
}

/** The way between one device and the application. */
export class Network {
  online = true
  /** By which the device is signed in. */
  cookie: string | undefined
  /** What becomes of the next requests, in order; all others are answered. */
  fates: { writes: Fate[]; reads: Fate[] } = { writes: [], reads: [] }
  /** A text that something in front of the server, such as a firewall, lets through in no request. */
  dislikes: string | undefined
  /** The requests of a single change that failed of themselves: nothing else may be told as such. */
  readonly failed: string[] = []
  /** The requests that are under way. */
  readonly underWay = new Set<Promise<Response>>()
  /** What the application must never answer, whatever it is asked. */
  surprises: unknown[] = []
  #application: Application
  #time: PlayedTime
  #late: (() => Promise<unknown>)[] = []

  constructor(application: Application, cookie: string, time: PlayedTime) {
    this.cookie = cookie
    this.#time = time
    this.#application = application
  }

  async fetch(path: string, init: RequestInit): Promise<Response> {
    const request = this.#meet(path, init)
    this.underWay.add(request)
    try {
      return await request
    } finally {
      this.underWay.delete(request)
    }
  }

  /** What was held back, or arrives twice, arrives now. */
  async deliverLate(): Promise<void> {
    for (const arrive of this.#late.splice(0)) await arrive()
  }

  async #meet(path: string, init: RequestInit): Promise<Response> {
    if (!this.online) throw new TypeError('There is no connection')
    const reads = init.method === 'GET'
    if (this.#isDisliked(init)) {
      this.#noteFailed(path, init)
      return new Response('<h1>Request blocked</h1>', {
        status: 403,
        headers: { 'content-type': 'text/html' },
      })
    }
    const fate = this.fates[reads ? 'reads' : 'writes'].shift() ?? 'answered'
    if (fate === 'unavailable' || fate === 'broken' || fate === 'signed-out') {
      if (fate === 'broken') this.#noteFailed(path, init)
      const { status, code } = refusals[fate]
      const headers = { date: this.#date }
      return Response.json({ code, message: 'Not now.' }, { status, headers })
    }
    const { cookie } = this
    const late = !reads && (fate === 'held' || fate === 'doubled')
    if (late) this.#late.push(() => this.#arrive(path, init, cookie))
    if (fate === 'lost' || fate === 'held') throw new TypeError('The connection broke')
    const response = await this.#arrive(path, init, cookie)
    if (fate === 'slow') await turns(25)
    if (fate === 'unanswered') throw new TypeError('The connection broke')
    return response
  }

  async #arrive(
    path: string,
    { method = 'GET', headers, body }: RequestInit,
    cookie: string | undefined,
  ): Promise<Response> {
    try {
      const asked = await this.#application.ask(method, path, {
        ...(cookie !== undefined && { cookie }),
        headers: Object.fromEntries(new Headers(headers)),
        ...(typeof body === 'string' && { body }),
      })
      const within: { status: number }[] = path === '/api/changes' ? (asked.body.rows?.flat() ?? []) : []
      // What was on its way when the device signed out arrives as nobody's.
      const isSignedIn = cookie !== undefined && cookie === this.cookie
      if ([asked, ...within].some(({ status }) => status >= 500 || (status === 401 && isSignedIn))) {
        this.surprises.push({ method, path, body, asked })
      }
      const sent = asked.bytes.byteLength > 0 ? Buffer.from(asked.bytes) : null
      asked.headers.set('date', this.#date)
      return new Response(sent, { status: asked.status, headers: asked.headers })
    } catch (error) {
      this.surprises.push(error)
      throw error
    }
  }

  #isDisliked({ body }: RequestInit): boolean {
    return this.dislikes !== undefined && String(body).includes(JSON.stringify(this.dislikes))
  }

  /** Of several changes in one request, each is sent alone before it is told. */
  #noteFailed(path: string, { body }: RequestInit): void {
    if (path !== '/api/changes') this.failed.push(`${path} ${String(body)}`)
  }

  /** As a server says when it answered, which it does by itself where there are sockets. */
  get #date(): string {
    return new Date(this.#time.now).toUTCString()
  }
}
