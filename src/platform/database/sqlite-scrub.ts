import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type Kysely, sql, type Transaction } from 'kysely'
import { marks } from './sqlite-scrub-marks.ts'
import type { Tables } from './tables.ts'

// What is deleted stays in the file until its place is needed: in free pages, in the gaps of pages that rows moved out of
// (where `secure_delete` leaves it too, as was seen), and in the write-ahead log. Only a file that is written anew has
// none of it. A process of its own does that, so that it can be killed as soon as somebody wants to write: nothing but
// the end of the process breaks `vacuum` off.

/** `move` keeps nobody from writing; the others do. */
export type ScrubStep = 'rewrite' | 'move' | 'empty'

/** Part of the transaction that deletes, so that neither a kill nor a full disk lets the file keep it for good. */
export async function markForScrubbing(tx: Transaction<Tables>): Promise<void> {
  await sql`pragma user_version = ${sql.lit(marks.erased)}`.execute(tx)
}

async function isMarkedForScrubbing(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db)
  return rows[0]?.user_version !== marks.none
}

/** Milliseconds for which nobody has to have written before the file is written anew, and the most after vain tries. */
const quiet = 2_000
const longestQuiet = 60_000

interface ScrubbingParts {
  path: string
  reader: Kysely<Tables>
  /** Runs `work` while nobody writes. */
  takeTurn(work: () => Promise<void>): Promise<void>
}

export interface Scrubbing {
  /** To be told whenever somebody wants to write. */
  writeComes(): void
  /** Scrubs as soon as nobody has written for a while; whoever writes then is let in, and it is tried again. */
  whenQuiet(): void
  /** Scrubs at once, and whoever writes waits. Throws when it could not be done. */
  now(): Promise<void>
  /** Lets what is under way be, which the next start goes on with. */
  close(): Promise<void>
}

export function createScrubbing({ path, reader, takeTurn }: ScrubbingParts): Scrubbing {
  let wanted = 0
  let lastWanted = performance.now()
  let vain = 0
  let waiting: NodeJS.Timeout | undefined
  let trying: Promise<void> | undefined
  let insisting: Promise<void> | undefined
  let breakOff: (() => void) | undefined
  let running: ScrubProcess | undefined
  let closed = false

  const isMarked = () => isMarkedForScrubbing(reader)
  const longEnough = () => Math.min(longestQuiet, quiet * 2 ** vain)

  function whenQuiet(): void {
    if (closed || waiting || trying) return
    const rest = Math.max(0, lastWanted + longEnough() - performance.now())
    waiting = setTimeout(() => {
      waiting = undefined
      if (performance.now() - lastWanted < longEnough()) whenQuiet()
      else trying = tryOnce()
    }, rest).unref()
  }

  async function tryOnce(): Promise<void> {
    let again = false
    try {
      const done = await scrub(path, whileNobodyWrites)
      vain = done ? 0 : vain + 1
      again = await isMarked()
    } catch {
      // Something else is in the way, such as a full disk: whoever tidies up tries again, and hears of it.
    }
    trying = undefined
    if (again) whenQuiet()
  }

  /** False where somebody wanted to write before it was done. */
  async function whileNobodyWrites(process: ScrubProcess): Promise<boolean> {
    const before = wanted
    let done = false
    await takeTurn(async () => {
      // To ask for this turn was to want to write; who asked beside it waits behind it.
      if (closed || wanted > before + 1) return
      breakOff = () => process.kill()
      try {
        await process.run('rewrite')
        done = true
      } catch (error) {
        if (!process.killed) throw error
      } finally {
        breakOff = undefined
      }
    })
    return done
  }

  async function whoeverWaits(process: ScrubProcess): Promise<boolean> {
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

  async function insist(): Promise<void> {
    breakOff?.()
    await trying
    try {
      if (await isMarked()) await scrub(path, whoeverWaits)
    } finally {
      insisting = undefined
    }
  }

  return {
    writeComes() {
      wanted += 1
      lastWanted = performance.now()
      breakOff?.()
    },
    whenQuiet,
    async now() {
      insisting ??= insist()
      await insisting
    },
    async close() {
      closed = true
      clearTimeout(waiting)
      running?.kill()
      await Promise.allSettled([trying, insisting])
    },
  }
}

class ScrubProcess {
  readonly #child: ChildProcess
  readonly #ended: Promise<unknown>

  constructor(path: string) {
    const file = new URL('./sqlite-scrub-process.ts', import.meta.url)
    this.#child = fork(file, [path], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] })
    this.#ended = once(this.#child, 'exit').catch(() => {})
  }

  get killed(): boolean {
    return this.#child.killed
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  /** Resolves when the step is done. */
  async run(step: ScrubStep): Promise<void> {
    const answer = once(this.#child, 'message').then(([said]) => said)
    this.#child.send(step)
    const said = await Promise.race([answer, this.#ended])
    if (said?.failed !== undefined) throw new Error(said.failed)
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) throw new Error('It was killed')
  }

  async end(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect()
    await this.#ended
  }
}
