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
  /** What becomes of the next requests, in order; all others are answered. */
  fates: { writes: Fate[]; reads: Fate[] } = { writes: [], reads: [] }
  /** The requests that are under way. */
  readonly underWay = new Set<Promise<Response>>()
  /** What the application must never answer, whatever it is asked. */
  surprises: unknown[] = []
  #application: Application
  #cookie: string
  #time: PlayedTime
  #late: (() => Promise<unknown>)[] = []

  constructor(application: Application, cookie: string, time: PlayedTime) {
    this.#time = time
    this.#application = application
    this.#cookie = cookie
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
    const fate = this.fates[reads ? 'reads' : 'writes'].shift() ?? 'answered'
    if (fate === 'unavailable' || fate === 'broken' || fate === 'signed-out') {
      const { status, code } = refusals[fate]
      const headers = { date: this.#date }
      return Response.json({ code, message: 'Not now.' }, { status, headers })
    }
    const late = !reads && (fate === 'held' || fate === 'doubled')
    if (late) this.#late.push(() => this.#arrive(path, init))
    if (fate === 'lost' || fate === 'held') throw new TypeError('The connection broke')
    const response = await this.#arrive(path, init)
    if (fate === 'slow') await turns(25)
    if (fate === 'unanswered') throw new TypeError('The connection broke')
    return response
  }

  async #arrive(path: string, { method = 'GET', headers, body }: RequestInit): Promise<Response> {
    try {
      const asked = await this.#application.ask(method, path, {
        cookie: this.#cookie,
        headers: Object.fromEntries(new Headers(headers)),
        ...(typeof body === 'string' && { body }),
      })
      if (asked.status >= 500 || asked.status === 401) this.surprises.push({ method, path, body, asked })
      const sent = asked.bytes.byteLength > 0 ? Buffer.from(asked.bytes) : null
      asked.headers.set('date', this.#date)
      return new Response(sent, { status: asked.status, headers: asked.headers })
    } catch (error) {
      this.surprises.push(error)
      throw error
    }
  }

  /** As a server says when it answered, which it does by itself where there are sockets. */
  get #date(): string {
    return new Date(this.#time.now).toUTCString()
  }
}
