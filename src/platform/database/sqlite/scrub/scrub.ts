import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from '#platform/database/tables.ts'
import { marks } from './scrub-marks.ts'

// Deleted data stays in the file until its space is reused: in free pages, in gaps of pages that rows moved out of, and in the
// write-ahead log. As we observed, even `secure_delete` leaves data in the gaps. Only a rewritten file is free of deleted data. A
// separate process rewrites the file, so that it can be killed as soon as somebody wants to write: nothing but the end of the
// process interrupts `vacuum`.

/** The steps of removing deleted data from the file. `move` blocks no writer; the others do. */
export type ScrubStep = 'rewrite' | 'move' | 'empty'

/**
 * Marks the file inside the deleting transaction, so that neither a kill nor a full disk leaves the data in the file for good.
 */
export async function markForScrubbing(tx: Transaction<Tables>): Promise<void> {
  await sql`pragma user_version = ${sql.lit(marks.erased)}`.execute(tx)
}

async function isMarkedForScrubbing(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db)
  return rows[0]?.user_version !== marks.none
}

/** Milliseconds without writes before the file is rewritten, and the longest such wait after failed attempts. */
const quiet = 2_000
const longestQuiet = 60_000

interface ScrubbingParts {
  path: string
  reader: Kysely<Tables>
  /** Runs `work` while nobody writes. */
  takeTurn(work: () => Promise<void>): Promise<void>
}

export interface Scrubbing {
  /** Call it whenever somebody wants to write. */
  onWriteRequest(): void
  /**
   * Scrubs as soon as nobody has written for a while. A write that arrives meanwhile goes first, and scrubbing is retried later.
   */
  whenQuiet(): void
  /** Scrubs at once while writers wait. Throws if it fails. */
  now(): Promise<void>
  /** Abandons the current work, which the next start continues. */
  close(): Promise<void>
}

export function createScrubbing({ path, reader, takeTurn }: ScrubbingParts): Scrubbing {
  let writeRequests = 0
  let lastWriteRequest = performance.now()
  let failedTries = 0
  let waiting: NodeJS.Timeout | undefined
  let trying: Promise<void> | undefined
  let forced: Promise<void> | undefined
  let abort: (() => void) | undefined
  let running: ScrubProcess | undefined
  let closed = false

  const isMarked = () => isMarkedForScrubbing(reader)
  const longEnough = () => Math.min(longestQuiet, quiet * 2 ** failedTries)

  function whenQuiet(): void {
    if (closed || waiting || trying) return
    const rest = Math.max(0, lastWriteRequest + longEnough() - performance.now())
    waiting = setTimeout(() => {
      waiting = undefined
      if (performance.now() - lastWriteRequest < longEnough()) whenQuiet()
      else trying = tryOnce()
    }, rest).unref()
  }

  async function tryOnce(): Promise<void> {
    let again = false
    try {
      const done = await scrub(path, whileNobodyWrites)
      failedTries = done ? 0 : failedTries + 1
      again = await isMarked()
    } catch {
      // Something other than a write prevents scrubbing, such as a full disk. The hourly cleanup tries again, and reports the
      // error.
    }
    trying = undefined
    if (again) whenQuiet()
  }

  /**
   * Rewrites the file unless somebody wants to write. Resolves with false if a write request came before the file was rewritten.
   */
  async function whileNobodyWrites(process: ScrubProcess): Promise<boolean> {
    const before = writeRequests
    let done = false
    await takeTurn(async () => {
      // Asking for this turn counted as a write request too. Any other request means that a write now waits behind this turn.
      if (closed || writeRequests > before + 1) return
      abort = () => process.kill()
      try {
        await process.run('rewrite')
        done = true
      } catch (error) {
        if (!process.killed) throw error
      } finally {
        abort = undefined
      }
    })
    return done
  }

  async function whileWritersWait(process: ScrubProcess): Promise<boolean> {
    await takeTurn(() => process.run('rewrite'))
    return true
  }

  async function scrub(path: string, rewrite: (process: ScrubProcess) => Promise<boolean>): Promise<boolean> {
    const process = new ScrubProcess(path)
    running = process
    try {
      if (!(await rewrite(process))) return false
      await process.run('move')
      await takeTurn(() => process.run('empty'))
      return true
    } finally {
      running = undefined
      await process.end()
    }
  }

  async function force(): Promise<void> {
    abort?.()
    await trying
    try {
      if (await isMarked()) await scrub(path, whileWritersWait)
    } finally {
      forced = undefined
    }
  }

  return {
    onWriteRequest() {
      writeRequests += 1
      lastWriteRequest = performance.now()
      abort?.()
    },
    whenQuiet,
    async now() {
      forced ??= force()
      await forced
    },
    async close() {
      closed = true
      clearTimeout(waiting)
      running?.kill()
      await Promise.allSettled([trying, forced])
    },
  }
}

class ScrubProcess {
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>

  constructor(path: string) {
    const file = new URL('./scrub-process.ts', import.meta.url)
    this.#child = fork(file, [path], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] })
    this.#ended = once(this.#child, 'exit').catch(() => {})
  }

  get killed(): boolean {
    return this.#child.killed
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  /** Runs a step and resolves when it is done. Rejects if the step failed or the process was killed. */
  async run(step: ScrubStep): Promise<void> {
    const response = once(this.#child, 'message').then(([message]) => message)
    this.#child.send(step)
    const message = await Promise.race([response, this.#ended])
    if (message?.failed !== undefined) throw new Error(message.failed)
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) throw new Error('It was killed')
  }

  async end(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect()
    await this.#ended
  }
}
