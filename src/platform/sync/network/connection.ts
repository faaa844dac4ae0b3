import type { ApiRequest, RequestResult } from './request.ts'

export interface ConnectionParts {
  /** Calls `onResponseStart` when a response begins to arrive. */
  send(request: ApiRequest, signal: AbortSignal, started?: () => void): Promise<RequestResult>
  /** Whether the person is looking at this tab and the browser has a connection. */
  watched(): boolean
  /** `isServerUp` has changed. */
  onChange(): void
  /** The server responds again after it did not, or after requests hung: what failed meanwhile is worth another try. */
  onBack(): void
  /** Rejects when aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** A request without any response by then may hang, even though the server responds to others. */
const hangThreshold = 3_000
/** From the start of one probe to the next: with its response and one request more, at most five seconds are lost. */
const probeInterval = 3_000
const probeTimeout = 2_500
/** The server always responds to this, and at once. */
const probe: ApiRequest = { method: 'GET', path: '/api/health' }

interface InFlight {
  hangs: boolean
  giveUp(): void
}

/**
 * Sends the requests of an account and knows whether our server responds at all. While it does not, or a request hangs, it
 * is probed: otherwise a request on a silently broken connection would keep waiting long after the server is back.
 */
export class Connection {
  readonly #parts: ConnectionParts
  readonly #inFlight = new Set<InFlight>()
  /** How often each request was given up, every time after waiting twice as long: it may be slow rather than hanging. */
  readonly #giveUps = new Map<string, number>()
  #isServerUp: boolean | undefined
  /** How often the connection has changed: a response to a request from before says nothing about the current one. */
  #changes = 0
  /** The last probe got no response, or one that says the server is not well. */
  #isDown = false
  #probing: Promise<boolean> | undefined
  #watching = false
  #running = new AbortController()

  constructor(parts: ConnectionParts) {
    this.#parts = parts
  }

  /** Whether our server responded last time; undefined if nothing is known about the current connection. */
  get isServerUp(): boolean | undefined {
    return this.#isServerUp
  }

  /** A hanging request is given up as soon as the server is known to respond to others. A GET is then sent again. */
  async send(request: ApiRequest, signal: AbortSignal): Promise<RequestResult> {
    const name = `${request.method} ${request.path}`
    const times = this.#giveUps.get(name) ?? 0
    const changes = this.#changes
    const hanging = new AbortController()
    const started = new AbortController()
    const inFlight: InFlight = {
      hangs: false,
      giveUp: () => {
        this.#giveUps.set(name, times + 1)
        hanging.abort()
      },
    }
    this.#inFlight.add(inFlight)
    this.#parts.pause(hangThreshold * 2 ** times, AbortSignal.any([signal, started.signal])).then(
      () => {
        inFlight.hangs = true
        void this.#watch()
      },
      () => {},
    )
    const end = () => {
      started.abort()
      this.#inFlight.delete(inFlight)
    }
    const result = await this.#parts.send(request, AbortSignal.any([signal, hanging.signal]), end)
    end()
    if (signal.aborted) return result
    if (hanging.signal.aborted) return request.method === 'GET' ? this.send(request, signal) : result
    if (isOurs(result)) {
      this.#giveUps.delete(name)
      if (changes === this.#changes) this.#setServerUp(true)
    } else void this.#watch()
    return result
  }

  /** Checks whether the server responds to another request. */
  async probe(): Promise<boolean> {
    const isUp = await this.#probe()
    if (!isUp) void this.#watch(probeInterval)
    return isUp
  }

  /** The person is back: look into any trouble now. */
  wake(): void {
    if (this.#isDown || this.#hanging().length > 0) void this.#watch()
  }

  /** Forgets what was known, which was about the previous connection. */
  reset(): void {
    this.#changes += 1
    this.#isServerUp = undefined
    this.#isDown = false
  }

  stop(): void {
    this.#running.abort()
    this.#running = new AbortController()
  }

  #hanging(): InFlight[] {
    return [...this.#inFlight].filter(({ hangs }) => hangs)
  }

  /** Probes until the server responds and nothing hangs any more; only once if no one is watching. */
  async #watch(after = 0): Promise<void> {
    if (this.#watching) return
    this.#watching = true
    const { signal } = this.#running
    try {
      if (after > 0) await this.#parts.pause(after, signal)
      for (;;) {
        const wasDown = this.#isDown
        const hanging = this.#hanging()
        const next = this.#parts.pause(probeInterval, signal)
        next.catch(() => {})
        if (await this.#probe()) {
          for (const each of hanging) each.giveUp()
          if (wasDown || hanging.length > 0) this.#parts.onBack()
          if (this.#hanging().every((each) => hanging.includes(each))) return
        }
        if (!this.#parts.watched()) return
        await next
      }
    } catch {
      // It was stopped.
    } finally {
      this.#watching = false
    }
  }

  #probe(): Promise<boolean> {
    this.#probing ??= this.#sendProbe().finally(() => {
      this.#probing = undefined
    })
    return this.#probing
  }

  async #sendProbe(): Promise<boolean> {
    const { send, pause } = this.#parts
    const { signal } = this.#running
    const timeout = new AbortController()
    const responseStarted = new AbortController()
    pause(probeTimeout, AbortSignal.any([signal, responseStarted.signal])).then(
      () => timeout.abort(),
      () => {},
    )
    const result = await send(probe, AbortSignal.any([signal, timeout.signal]), () => responseStarted.abort())
    responseStarted.abort()
    if (signal.aborted) return false
    this.#isDown = result.kind === 'none'
    this.#setServerUp(isOurs(result))
    return !this.#isDown
  }

  #setServerUp(isUp: boolean): void {
    if (this.#isServerUp === isUp) return
    this.#isServerUp = isUp
    this.#parts.onChange()
  }
}

/** A response that asks us to wait counts too: someone is there to ask. */
function isOurs(result: RequestResult): boolean {
  return result.kind !== 'none' || result.by === 'server' || result.retryAfter !== undefined
}
