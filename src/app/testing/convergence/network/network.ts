import type { Instant } from '#platform/calendar/day.ts'
import type { Arrivals } from './arrivals.ts'
import { type PlayedTime, turns } from './played-time.ts'
import { BrokenConnection, type ServerProcess } from './server-process.ts'

/** What may happen to a request on its way. */
export type Fate =
  | 'answered'
  /** The request is handled, but the response takes a while. */
  | 'slow'
  /** The request is handled, but the response takes seconds, while other requests are faster. */
  | 'delayed'
  /** The request never arrives. */
  | 'lost'
  /** The request is handled, but the response never arrives. */
  | 'unanswered'
  /** The request is handled, and arrives again after others have been handled. */
  | 'doubled'
  /** There is no response, and the request arrives after others have been handled. */
  | 'held'
  /** A proxy responds in place of a server that is down. */
  | 'unavailable'
  /** The server fails before it does anything. */
  | 'broken'
  | 'signed-out'

/** In which direction nothing gets through, until when, and whether what was sent meanwhile arrives then or is lost. */
export interface Partition {
  way: 'there' | 'back'
  until: Instant
  afterwards: 'arrives' | 'lost'
}

/** The responses to requests that never reach the application. */
const errors = {
  unavailable: { status: 503, code: 'UNAVAILABLE' },
  broken: { status: 500, code: 'INTERNAL_ERROR' },
  'signed-out': { status: 401, code: 'NOT_SIGNED_IN' },
}

/** Milliseconds that a delayed response takes. */
const delay = 3_000

interface NetworkParts {
  place: number
  cookie: string
  processes: readonly ServerProcess[]
  arrivals: Arrivals
  time: PlayedTime
}

/** The network between one device and the application. */
export class Network {
  /** The cookie of the signed-in device. */
  cookie: string | undefined
  /** The fates of the next requests, in order; all later ones get a response. */
  fates: { writes: Fate[]; reads: Fate[] } = { writes: [], reads: [] }
  /** A text that something in front of the server, such as a firewall, blocks in every request. */
  blockedText: string | undefined
  /** The single-change requests that really failed: no other change may be reported as failed. */
  readonly failed: string[] = []
  partition: Partition | undefined
  /** One promise for each request in progress, which ends with the response or when a partition begins to hold the request up. */
  readonly inFlight = new Set<Promise<void>>()
  /** Responses that the application must never send, whatever the request. */
  unexpected: unknown[] = []
  #place: number
  #processes: readonly ServerProcess[]
  #requests = { reads: 0, writes: 0 }
  #arrivals: Arrivals
  #late: (() => Promise<unknown>)[] = []
  #time: PlayedTime
  #streams = new Set<AbortController>()
  #online = true

  /** `place` is the index of the device among all devices. */
  constructor({ place, cookie, processes, arrivals, time }: NetworkParts) {
    this.cookie = cookie
    this.#place = place
    this.#processes = processes
    this.#arrivals = arrivals
    this.#time = time
  }

  get online(): boolean {
    return this.#online
  }

  set online(online: boolean) {
    this.#online = online
    if (online) return
    for (const broken of this.#streams) broken.abort()
    this.#streams.clear()
  }

  async fetch(path: string, init: RequestInit): Promise<Response> {
    let end = this.#beginWaiting()
    try {
      return await this.#handle(path, init, async (partition) => {
        end()
        try {
          await this.#healed(partition, init.signal ?? undefined)
        } finally {
          end = this.#beginWaiting()
        }
      })
    } finally {
      end()
    }
  }

  #beginWaiting(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.inFlight.add(promise)
    return () => {
      this.inFlight.delete(promise)
      resolve()
    }
  }

  /** Opens a stream of events, which ends with the connection. A partition holds up what comes in it. */
  async openStream(path: string, { headers, signal }: RequestInit): Promise<Response> {
    const { cookie } = this
    const process = this.#nextProcess('reads')
    if (!this.online || !process.openStream) throw new TypeError('There is no connection')
    const broken = new AbortController()
    const until = AbortSignal.any([broken.signal, ...(signal ? [signal] : [])])
    const response = await process.openStream(
      path,
      { ...(cookie !== undefined && { cookie }), headers: Object.fromEntries(new Headers(headers)) },
      until,
    )
    this.#streams.add(broken)
    const holdUp = new TransformStream<Uint8Array, Uint8Array>({
      transform: async (event, controller) => {
        await this.#pass('back', (partition) => this.#healed(partition, until))
        controller.enqueue(event)
      },
    })
    return new Response(response.body?.pipeThrough(holdUp), response)
  }

  /** Delivers the requests that were held back or arrive twice. */
  async deliverLate(): Promise<void> {
    for (const arrive of this.#late.splice(0)) {
      try {
        await arrive()
      } catch (error) {
        if (!(error instanceof BrokenConnection)) throw error
      }
    }
  }

  async #handle(
    path: string,
    init: RequestInit,
    healed: (partition: Partition) => Promise<void>,
  ): Promise<Response> {
    if (!this.online) throw new TypeError('There is no connection')
    const reads = init.method === 'GET'
    if (this.#isBlocked(init)) {
      this.#recordFailed(path, init)
      return new Response('<h1>Request blocked</h1>', {
        status: 403,
        headers: { 'content-type': 'text/html' },
      })
    }
    const kind = reads ? 'reads' : 'writes'
    const fate = this.fates[kind].shift() ?? 'answered'
    if (fate === 'unavailable' || fate === 'broken' || fate === 'signed-out') {
      if (fate === 'broken') this.#recordFailed(path, init)
      const { status, code } = errors[fate]
      const headers = { date: dateOf(this.#nextProcess(kind)) }
      return Response.json({ code, message: 'Not now.' }, { status, headers })
    }
    const { cookie } = this
    const late = !reads && (fate === 'held' || fate === 'doubled')
    if (late) this.#late.push(() => this.#deliver(path, init, cookie))
    if (fate === 'lost' || fate === 'held') throw new TypeError('The connection broke')
    await this.#pass('there', healed)
    const response = await this.#deliver(path, init, cookie)
    await this.#pass('back', healed)
    if (fate === 'slow') await turns(25)
    if (fate === 'delayed')
      await healed({ way: 'back', until: this.#time.now + delay, afterwards: 'arrives' })
    if (fate === 'unanswered') throw new TypeError('The connection broke')
    return response
  }

  /** Waits for the end of a partition that is in the way, and throws if it has swallowed what was sent. */
  async #pass(way: Partition['way'], healed: (partition: Partition) => Promise<void>): Promise<void> {
    const { partition } = this
    if (partition?.way !== way || partition.until <= this.#time.now) return
    await healed(partition)
    if (partition.afterwards === 'lost') throw new TypeError('The connection broke')
  }

  /** Throws if the device gives up waiting. */
  async #healed({ until }: Partition, signal = new AbortController().signal): Promise<void> {
    await this.#time.pause(until - this.#time.now, signal)
  }

  async #deliver(
    path: string,
    { method = 'GET', headers, body }: RequestInit,
    cookie: string | undefined,
  ): Promise<Response> {
    const process = this.#nextProcess(method === 'GET' ? 'reads' : 'writes')
    const { isStarting: wasStarting } = process
    const end = this.#arrivals.begin(this.#place, path, body)
    try {
      const response = await process.ask(method, path, {
        ...(cookie !== undefined && { cookie }),
        headers: Object.fromEntries(new Headers(headers)),
        ...(typeof body === 'string' && { body }),
      })
      const rows: { status: number }[][] = path === '/api/changes' ? (response.body.rows ?? []) : [[response]]
      const within = rows.flat()
      end(rows.map((row) => row.map(({ status }) => status)))
      // A request in progress while the device signs out may arrive without a valid session.
      const isSignedIn = cookie !== undefined && cookie === this.cookie
      const isStarting = response.status === 503 && (wasStarting || process.isStarting)
      if (
        !isStarting &&
        [response, ...within].some(({ status }) => status >= 500 || (status === 401 && isSignedIn))
      ) {
        this.unexpected.push({ method, path, body, asked: response })
      }
      const sent = response.bytes.byteLength > 0 ? Buffer.from(response.bytes) : null
      response.headers.set('date', dateOf(process))
      return new Response(sent, { status: response.status, headers: response.headers })
    } catch (error) {
      if (error instanceof BrokenConnection) end(undefined)
      else this.unexpected.push(error)
      throw error
    }
  }

  #isBlocked({ body }: RequestInit): boolean {
    return this.blockedText !== undefined && String(body).includes(JSON.stringify(this.blockedText))
  }

  /** Records a failed request. Batches do not count: each of their changes is sent alone before it is reported. */
  #recordFailed(path: string, { body }: RequestInit): void {
    if (path !== '/api/changes') this.failed.push(`${path} ${String(body)}`)
  }

  /**
   * Sends a device's requests to one process after the other, like a load balancer; reads and writes each, since writes in turns
   * with looks at the connection would otherwise all go to the same process, even if it is dead.
   */
  #nextProcess(of: 'reads' | 'writes'): ServerProcess {
    const process = this.#processes[this.#requests[of]++ % this.#processes.length]
    if (!process) throw new Error('A server has a process')
    return process
  }
}

/** The `Date` header, which a real server adds by itself. */
function dateOf({ clock }: ServerProcess): string {
  return new Date(clock()).toUTCString()
}
