import { AsyncLocalStorage } from 'node:async_hooks'
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'

// Waiting for the disk is nearly all that a write costs, and it costs the same for one as for a hundred.

/** Of one commit. More would make the first of them wait for the last. */
const mostTogether = 100
/** Milliseconds after which no further write is begun before the commit, since nobody is answered meanwhile. */
const longestTogether = 5

interface SharedCommitParts {
  database: Pick<DatabaseSync, 'exec' | 'isTransaction'>
  /** Runs `work` while nobody else uses the connection. */
  takeTurn(work: () => Promise<void>): Promise<void>
  /** Begins the transaction. */
  begin(): Promise<void>
  /** Throws where what was committed is lost all the same. */
  ensureKept(): void
  /** Milliseconds, of a clock that never goes back. */
  clock(): number
}

export interface SharedCommit {
  /**
   * Runs `work`, which has to undo its own part when it throws, in one transaction with whatever else is waiting, each
   * finished before the next begins, in the order in which they were asked for. Resolves after the commit.
   */
  write<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when no write is waiting. */
  finished(): Promise<void>
}

interface Waiting {
  /** Resolves when its part is done; what it answers is kept back until `committed`. */
  run(): Promise<void>
  committed(): void
  failed(error: unknown): void
}

export function createSharedCommit({
  database,
  takeTurn,
  begin,
  ensureKept,
  clock,
}: SharedCommitParts): SharedCommit {
  const waiting: Waiting[] = []
  let running: Promise<void> | undefined

  async function commitAll(): Promise<void> {
    while (waiting.length > 0) {
      await gather()
      await commitSome()
    }
    running = undefined
  }

  /** As long as requests that arrive meanwhile bring more of them, since those cost nearly nothing. */
  async function gather(): Promise<void> {
    for (let before = 0; waiting.length > before && waiting.length < mostTogether; ) {
      before = waiting.length
      await setImmediate()
      // From its arrival to its write a request takes two turns of the event loop, since who asks is found out in one.
      if (waiting.length > 1) await setImmediate()
    }
  }

  async function commitSome(): Promise<void> {
    const begun: Waiting[] = []
    let open = false
    try {
      await takeTurn(async () => {
        await begin()
        open = true
        try {
          await runSome(begun)
          database.exec('commit')
        } catch (error) {
          if (database.isTransaction) database.exec('rollback')
          throw error
        }
        ensureKept()
      })
      for (const write of begun) write.committed()
    } catch (error) {
      // None could begin: without somebody to hear of it, they would be tried for ever.
      const failed = open ? begun : waiting.splice(0)
      for (const write of failed) write.failed(error)
    }
  }

  async function runSome(begun: Waiting[]): Promise<void> {
    const until = clock() + longestTogether
    do {
      const write = waiting.shift()
      if (!write) return
      begun.push(write)
      try {
        await write.run()
      } catch (error) {
        // After some errors, such as a full disk, SQLite has undone everything by itself, the parts of the others too.
        if (!database.isTransaction) throw error
        begun.pop()
        write.failed(error)
      }
    } while (begun.length < mostTogether && clock() < until)
  }

  return {
    write<T>(work: () => Promise<T>): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      let answer: { value: T } | undefined
      // One of them runs all that wait: what each does is still its own.
      const asItself = AsyncLocalStorage.snapshot()
      waiting.push({
        async run() {
          answer = { value: await asItself(work) }
        },
        committed() {
          if (answer) resolve(answer.value)
        },
        failed: reject,
      })
      running ??= commitAll()
      return promise
    },
    async finished() {
      await running
    },
  }
}
