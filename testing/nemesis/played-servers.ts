import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { Agent, request as sendRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestRequest, TestResponse } from '#app/testing/application.ts'
import { BrokenConnection, type ServerProcess } from '#app/testing/convergence/network/server-process.ts'
import type { Nemesis } from '#app/testing/convergence/play/play.ts'
import type { Instant } from '#platform/calendar/day.ts'
import { freePort } from '../free-port.ts'

/** Milliseconds by which the clocks of two processes on one database differ. */
const processesDiffer = 3_000

/** Of the servers, and of whoever signs somebody in beside them. */
export const secret = 'a secret of the tests that is long enough'

/** Real server processes on one database, whose clocks are played, and which can be killed and stopped at any time. */
export class PlayedServers implements Nemesis {
  readonly processes: readonly [PlayedServer, ...PlayedServer[]]
  /** How often a process was killed or stood still. */
  readonly strikes = { kill: 0, pause: 0 }
  #folder: string
  #clock: number
  #striking = new Set<Promise<void>>()

  private constructor(folder: string, clock: number, processes: [PlayedServer, ...PlayedServer[]]) {
    this.#folder = folder
    this.#clock = clock
    this.processes = processes
  }

  static async start(databaseUrl: string, count: 1 | 2): Promise<PlayedServers> {
    const folder = mkdtempSync(join(tmpdir(), 'daymark-nemesis-'))
    const clock = join(folder, 'clock')
    const written = openSync(clock, 'w+')
    const open = async (ahead: number) =>
      new PlayedServer(
        {
          PORT: String(await freePort()),
          DATABASE_URL: databaseUrl,
          AUTH_SECRET: secret,
          RATE_LIMIT: 'off',
          PLAYED_CLOCK: clock,
          PLAYED_AHEAD: String(ahead),
        },
        ahead,
      )
    const servers = new PlayedServers(folder, written, [
      await open(0),
      ...(count === 2 ? [await open(processesDiffer)] : []),
    ])
    servers.set(Date.now())
    for (const each of servers.processes) await each.serve()
    return servers
  }

  set(now: Instant): void {
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleLE(now)
    writeSync(this.#clock, bytes, 0, 8, 0)
    for (const each of this.processes) each.now = now
  }

  strike({ which, happens, milliseconds }: Parameters<Nemesis['strike']>[0]): void {
    const server = this.processes[which % this.processes.length]
    if (!server) return
    this.strikes[happens] += 1
    const struck = happens === 'kill' ? server.killAfter(milliseconds) : server.standStill(milliseconds)
    this.#striking.add(struck)
    void struck.finally(() => this.#striking.delete(struck))
  }

  async whenOver(): Promise<void> {
    while (this.#striking.size > 0) await Promise.all(this.#striking)
  }

  async stop(): Promise<void> {
    await this.whenOver()
    for (const each of this.processes) await each.stop()
    closeSync(this.#clock)
    rmSync(this.#folder, { recursive: true })
  }
}

interface Life {
  child: ChildProcess
  loaded: Promise<void>
}

/** One server with its lives, all on the same port. The next life is loaded while the present one serves. */
export class PlayedServer implements ServerProcess {
  now: Instant = 0
  isStarting = true
  #environment: Record<string, string>
  #ahead: number
  #serving: ChildProcess | undefined
  #next: Life | undefined
  #agent = new Agent({ keepAlive: true })
  /** Kills and stops one after the other. */
  #turn = Promise.resolve()

  constructor(environment: Record<string, string>, ahead: number) {
    this.#environment = environment
    this.#ahead = ahead
  }

  clock = (): Instant => this.now + this.#ahead

  async serve(): Promise<void> {
    const { child, loaded } = this.#next ?? this.#load()
    await loaded
    const serves = said(child, 'serves')
    child.send('serve')
    await serves
    this.#serving = child
    this.isStarting = false
    this.#next = this.#load()
  }

  killAfter(milliseconds: number): Promise<void> {
    return this.#inTurn(async () => {
      await pause(milliseconds)
      this.isStarting = true
      await this.#kill(this.#serving)
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
    await this.#kill(this.#serving)
    await this.#kill(this.#next?.child)
    this.#agent.destroy()
  }

  async ask(
    method: string,
    path: string,
    { cookie, headers, body }: TestRequest = {},
  ): Promise<TestResponse> {
    const sent = sendRequest({
      host: '127.0.0.1',
      port: this.#environment.PORT,
      agent: this.#agent,
      method,
      path,
      headers: {
        ...headers,
        ...(cookie !== undefined && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
    })
    try {
      sent.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body))
      const [response] = await once(sent, 'response')
      const bytes = await buffer(response)
      const received = new Headers(response.headers)
      const isJson = /^application\/json/.test(received.get('content-type') ?? '') && bytes.length > 0
      const parsed: unknown = isJson ? JSON.parse(bytes.toString()) : bytes.toString()
      return { status: response.statusCode, body: parsed, bytes, headers: received }
    } catch (error) {
      throw new BrokenConnection(`${method} ${path} had no response`, { cause: error })
    }
  }

  async openStream(path: string, { cookie, headers }: TestRequest, signal: AbortSignal): Promise<Response> {
    const sent = sendRequest({
      host: '127.0.0.1',
      port: this.#environment.PORT,
      path,
      headers: { ...headers, ...(cookie !== undefined && { cookie }) },
      signal,
    })
    sent.end()
    const [response] = await once(sent, 'response')
    return new Response(Readable.toWeb(response), { status: response.statusCode, headers: response.headers })
  }

  #load(): Life {
    const child = fork(join(import.meta.dirname, 'played-server.ts'), {
      env: { PATH: process.env.PATH, ...this.#environment },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const loaded = said(child, 'loaded')
    // It may be killed before anybody waits for it.
    loaded.catch(() => {})
    return { child, loaded }
  }

  #inTurn(act: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(act)
    this.#turn = turn.catch(() => {})
    return turn
  }

  async #kill(child: ChildProcess | undefined): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
}

/** Rejects when the process ends instead. */
function said(child: ChildProcess, what: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('message', (message) => message === what && resolve())
    child.once('exit', (code, signal) => reject(new Error(`A server ended with ${code ?? signal}`)))
  })
}
