import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request as sendRequest } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { TestRequest, TestResponse } from '#app/testing/application.ts'
import { BrokenConnection, type ServerProcess } from '#app/testing/convergence/network/server-process.ts'
import type { Instant } from '#platform/calendar/day.ts'

/** Far more milliseconds than a process takes to load, or to begin to serve, on a busy machine. */
const patience = 120_000

interface Life {
  child: ChildProcess
  loaded: Promise<void>
  /** The end of what it wrote to standard error. */
  errors(): string
}

/** One real server with its lives, all on the same port. The next life is loaded while the present one serves. */
export class PlayedServer implements ServerProcess {
  now: Instant = 0
  isStarting = true
  /** Deaths that no nemesis caused. */
  readonly problems: string[] = []
  /** How many requests had no response because a process died. */
  broken = 0
  #environment: Record<string, string>
  #ahead: number
  #serving: ChildProcess | undefined
  #next: Life | undefined
  #agent = new Agent({ keepAlive: true })
  /** Kills and stops one after the other. */
  #turn = Promise.resolve()
  #isStopped = false

  constructor(environment: Record<string, string>, ahead: number) {
    this.#environment = environment
    this.#ahead = ahead
  }

  clock = (): Instant => this.now + this.#ahead

  async serve(): Promise<void> {
    if (this.#isStopped) return
    const { child, loaded, errors } = this.#next ?? this.#load()
    await loaded
    const serves = said(child, 'serves')
    child.send('serve')
    await serves
    this.#serving = child
    this.isStarting = false
    child.once('exit', (code, signal) => {
      if (this.#serving === child)
        this.problems.push(`server: it ended by itself with ${code ?? signal}: ${errors()}`)
    })
    this.#next = this.#load()
  }

  killAfter(milliseconds: number): Promise<void> {
    return this.#inTurn(async () => {
      await pause(milliseconds)
      this.isStarting = true
      const killed = this.#serving
      this.#serving = undefined
      await end(killed)
      await this.serve()
    })
  }

  standStill(milliseconds: number): Promise<void> {
    return this.#inTurn(async () => {
      this.#serving?.kill('SIGSTOP')
      await pause(milliseconds)
      this.#serving?.kill('SIGCONT')
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    const last = this.#serving
    this.#serving = undefined
    await Promise.all([end(last), end(this.#next?.child)])
    this.#agent.destroy()
  }

  async ask(
    method: string,
    path: string,
    { cookie, headers, body }: TestRequest = {},
  ): Promise<TestResponse> {
    const sent = sendRequest({
      ...this.#address,
      agent: this.#agent,
      method,
      path,
      headers: {
        ...headers,
        ...(cookie !== undefined && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
    })
    const { status, received, bytes } = await this.#unlessBroken(async () => {
      sent.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body))
      const [response] = await once(sent, 'response')
      const bytes = await buffer(response)
      return { status: response.statusCode, received: new Headers(response.headers), bytes }
    })
    const isJson = /^application\/json/.test(received.get('content-type') ?? '') && bytes.length > 0
    const parsed: unknown = isJson ? JSON.parse(bytes.toString()) : bytes.toString()
    return { status, body: parsed, bytes, headers: received }
  }

  async openStream(path: string, { cookie, headers }: TestRequest, signal: AbortSignal): Promise<Response> {
    const sent = sendRequest({
      ...this.#address,
      path,
      headers: { ...headers, ...(cookie !== undefined && { cookie }) },
      signal,
    })
    return this.#unlessBroken(async () => {
      sent.end()
      const [response] = await once(sent, 'response')
      return new Response(Readable.toWeb(response), {
        status: response.statusCode,
        headers: response.headers,
      })
    })
  }

  get #address() {
    return { host: '127.0.0.1', port: this.#environment.PORT }
  }

  async #unlessBroken<Result>(exchange: () => Promise<Result>): Promise<Result> {
    try {
      return await exchange()
    } catch (error) {
      this.broken += 1
      throw new BrokenConnection('The server gave no response', { cause: error })
    }
  }

  #load(): Life {
    const child = fork(fileURLToPath(new URL('serve-played.ts', import.meta.url)), {
      env: { PATH: process.env.PATH, ...this.#environment },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let errors = ''
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      errors = (errors + text).slice(-2_000)
    })
    const loaded = said(child, 'loaded')
    // It may be killed before anybody waits for it.
    loaded.catch(() => {})
    return { child, loaded, errors: () => errors }
  }

  #inTurn(act: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(act)
    this.#turn = turn.catch(() => {})
    return turn
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Rejects when the process ends instead, or takes far too long. */
function said(child: ChildProcess, what: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const tooLate = setTimeout(() => reject(new Error(`A server never said '${what}'`)), patience)
    tooLate.unref()
    child.on('message', (message) => {
      if (message !== what) return
      clearTimeout(tooLate)
      resolve()
    })
    child.once('exit', (code, signal) => reject(new Error(`A server ended with ${code ?? signal}`)))
  })
}
