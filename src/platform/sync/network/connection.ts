import type { ApiRequest, RequestResult } from './request.ts'

export interface ConnectionParts {
  /** Sends a request. Calls `started` when a response begins to arrive. */
  send(request: ApiRequest, signal: AbortSignal, started?: () => void): Promise<RequestResult>
  /** Whether the person is looking at this tab and the browser has a connection. */
  watched(): boolean
  /** Called when `isServerUp` has changed. */
  onChange(): void
  /**
   * Called when the server responds again after an outage, or after requests hung: requests that failed are worth another try.
   */
  onBack(): void
  /** Resolves after `milliseconds`. Rejects when aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** Milliseconds after which a request without a response is suspected to hang, even if the server responds to other requests. */
const hangThreshold = 3_000
/** Milliseconds between two probes, which check whether the server responds. After an outage, at most five seconds are lost. */
const probeInterval = 3_000
const probeTimeout = 2_500
/** The server responds to this request always and at once. */
const probe: ApiRequest = { method: 'GET', path: '/api/health' }

interface InFlight {
  hangs: boolean
  giveUp(): void
}

/**
 * Sends an account's requests and knows whether our server responds at all. While it does not, or a request hangs, the connection
 * is probed: otherwise a request on a silently broken connection would wait long after the server is back.
 */
export class Connection {
  readonly #parts: ConnectionParts
  readonly #inFlight = new Set<InFlight>()
  /**
   * How often each request was given up. Each time doubles the wait before the next give-up: the request may be slow, not
   * hanging.
   */
  readonly #giveUps = new Map<string, number>()
  #isServerUp: boolean | undefined
  /**
   * How often the connection has changed. A response to a request from before a change says nothing about the current connection.
   */
  #changes = 0
  /** Whether the last probe got no response, or a response that says the server is unwell. */
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

  /**
   * Sends a request. If it hangs, it is given up as soon as the server is known to respond to others; a GET is then sent again.
   */
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

  /** Call it when the person is back: probes now if the server is down or requests hang. */
  wake(): void {
    if (this.#isDown || this.#hanging().length > 0) void this.#watch()
  }

  /** Forgets what was known about the previous connection. */
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

  /** Probes until the server responds and no request hangs any more. Probes only once if no one is watching. */
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
      // `stop` aborted the pause.
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

/** Whether our server responded. A response that asks us to wait counts too. */
function isOurs(result: RequestResult): boolean {
  return result.kind !== 'none' || result.by === 'server' || result.retryAfter !== undefined
}
