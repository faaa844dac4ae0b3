import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { secret } from '#app/testing/application.ts'
import type { Nemesis } from '#app/testing/convergence/play/play.ts'
import { processesDiffer } from '#app/testing/convergence/play/played-people.ts'
import type { Instant } from '#platform/calendar/day.ts'
import { freePort } from '../free-port.ts'
import { PlayedServer } from './played-server.ts'

/** Real server processes on one database, whose clocks are played, and which can be killed and stopped at any time. */
export class PlayedServers implements Nemesis {
  readonly processes: readonly [PlayedServer, ...PlayedServer[]]
  /** How often a process was killed or stood still. */
  readonly strikes = { kill: 0, pause: 0 }
  #folder: string
  /** The file with the time; undefined once everything is stopped. */
  #clock: number | undefined
  #striking = new Set<Promise<unknown>>()
  #problems: string[] = []

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
    const second = count === 2 ? [await open(processesDiffer)] : []
    const servers = new PlayedServers(folder, written, [await open(0), ...second])
    servers.set(Date.now())
    try {
      // One after the other: the first one makes the tables.
      for (const each of servers.processes) await each.serve()
    } catch (error) {
      await servers.stop()
      throw error
    }
    return servers
  }

  set(now: Instant): void {
    if (this.#clock === undefined) throw new Error('The servers are stopped')
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleLE(now)
    writeSync(this.#clock, bytes, 0, 8, 0)
    for (const each of this.processes) each.now = now
  }

  strike({ which, happens, milliseconds }: Parameters<Nemesis['strike']>[0]): void {
    const server = this.processes[which % this.processes.length]
    if (!server || this.#clock === undefined) return
    this.strikes[happens] += 1
    const struck = happens === 'kill' ? server.killAfter(milliseconds) : server.standStill(milliseconds)
    const over = struck
      .catch((error: unknown) => this.#problems.push(`server: ${String(error)}`))
      .finally(() => this.#striking.delete(over))
    this.#striking.add(over)
  }

  async whenOver(): Promise<void> {
    while (this.#striking.size > 0) await Promise.all(this.#striking)
  }

  /** What went wrong with the processes themselves since the last call. */
  takeProblems(): string[] {
    return [...this.#problems.splice(0), ...this.processes.flatMap((each) => each.problems.splice(0))]
  }

  async stop(): Promise<void> {
    const clock = this.#clock
    this.#clock = undefined
    try {
      await this.whenOver()
    } finally {
      for (const each of this.processes) await each.stop()
      if (clock !== undefined) closeSync(clock)
      rmSync(this.#folder, { recursive: true, force: true })
    }
  }
}
