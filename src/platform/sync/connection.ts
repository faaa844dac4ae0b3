import type { Answer, Request } from './answer.ts'

export interface ConnectionParts {
  /** `begun` is called when an answer begins to arrive. */
  ask(request: Request, signal: AbortSignal, begun?: () => void): Promise<Answer>
  /** The person looks at this tab, and the browser knows of a connection. */
  watched(): boolean
  /** `answers` is another one. */
  onChange(): void
  /** The server answers after it did not, or after requests hung: what failed meanwhile is worth another try. */
  onBack(): void
  /** Rejects when aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** A request of which nothing has come by then may hang, though the server answers to others. */
const suspicious = 3_000
/** Between the beginnings of two probes: with its answer and a request after it, no more than five seconds are lost. */
const betweenProbes = 3_000
const patienceOfProbe = 2_500
/** What the server always answers, and at once. */
const probe: Request = { method: 'GET', path: '/api/health' }

interface UnderWay {
  hangs: boolean
  giveUp(): void
}

/**
 * The requests of an account, and whether our server answers at all. While it does not, or a request hangs, it is probed:
 * a connection that broke without a word would otherwise be waited for, long after the server answers again.
 */
export class Connection {
  readonly #parts: ConnectionParts
  readonly #underWay = new Set<UnderWay>()
  /** How often the same request was given up, each time after twice as long: it may be slow, and not hang. */
  readonly #givenUp = new Map<string, number>()
  #answers: boolean | undefined
  /** It did not take the last probe, or not as one that is well. */
  #isDown = false
  #probing: Promise<boolean> | undefined
  #watching = false
  #running = new AbortController()

  constructor(parts: ConnectionParts) {
    this.#parts = parts
  }

  /** Whether our server answered last; undefined where nothing is known of now. */
  get answers(): boolean | undefined {
    return this.#answers
  }

  /** One that hangs is given up as soon as the server is known to answer to others. What only reads is then asked again. */
  async ask(request: Request, signal: AbortSignal): Promise<Answer> {
    const name = `${request.method} ${request.path}`
    const times = this.#givenUp.get(name) ?? 0
    const hanging = new AbortController()
    const begun = new AbortController()
    const underWay: UnderWay = {
      hangs: false,
      giveUp: () => {
        this.#givenUp.set(name, times + 1)
        hanging.abort()
      },
    }
    this.#underWay.add(underWay)
    this.#parts.pause(suspicious * 2 ** times, AbortSignal.any([signal, begun.signal])).then(
      () => {
        underWay.hangs = true
        void this.#watch()
      },
      () => {},
    )
    const end = () => {
      begun.abort()
      this.#underWay.delete(underWay)
    }
    const answer = await this.#parts.ask(request, AbortSignal.any([signal, hanging.signal]), end)
    end()
    if (signal.aborted) return answer
    if (hanging.signal.aborted) return request.method === 'GET' ? this.ask(request, signal) : answer
    if (isOurs(answer)) {
      this.#givenUp.delete(name)
      this.#learn(true)
    } else void this.#watch()
    return answer
  }

  /** Asks the server whether it answers to something else. */
  async probe(): Promise<boolean> {
    const answers = await this.#probe()
    if (!answers) void this.#watch(betweenProbes)
    return answers
  }

  /** The person is back: whatever is wrong is looked at now. */
  wake(): void {
    if (this.#isDown || this.#hanging().length > 0) void this.#watch()
  }

  /** What was known is of a connection of before. */
  forget(): void {
    this.#answers = undefined
    this.#isDown = false
  }

  stop(): void {
    this.#running.abort()
    this.#running = new AbortController()
  }

  #hanging(): UnderWay[] {
    return [...this.#underWay].filter(({ hangs }) => hangs)
  }

  /** Probes until the server answers and nothing hangs any more; where it is not watched, once. */
  async #watch(after = 0): Promise<void> {
    if (this.#watching) return
    this.#watching = true
    const { signal } = this.#running
    try {
      if (after > 0) await this.#parts.pause(after, signal)
      for (;;) {
        const wasDown = this.#isDown
        const hanging = this.#hanging()
        const next = this.#parts.pause(betweenProbes, signal)
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
    this.#probing ??= this.#askForSign().finally(() => {
      this.#probing = undefined
    })
    return this.#probing
  }

  async #askForSign(): Promise<boolean> {
    const { ask, pause } = this.#parts
    const { signal } = this.#running
    const patience = new AbortController()
    const answered = new AbortController()
    pause(patienceOfProbe, AbortSignal.any([signal, answered.signal])).then(
      () => patience.abort(),
      () => {},
    )
    const answer = await ask(probe, AbortSignal.any([signal, patience.signal]), () => answered.abort())
    answered.abort()
    if (signal.aborted) return false
    this.#isDown = answer.kind === 'none'
    this.#learn(isOurs(answer))
    return !this.#isDown
  }

  #learn(answers: boolean): void {
    if (this.#answers === answers) return
    this.#answers = answers
    this.#parts.onChange()
  }
}

/** Also where it asks for patience: somebody is there who can. */
function isOurs(answer: Answer): boolean {
  return answer.kind !== 'none' || answer.by === 'server' || answer.retryAfter !== undefined
}
