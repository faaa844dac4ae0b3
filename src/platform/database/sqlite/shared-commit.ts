import { AsyncLocalStorage } from 'node:async_hooks'
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'

// Waiting for the disk is nearly the whole cost of a write, and it takes as long for one write as for a hundred. So writes that
// wait at the same time share one commit.

/** Writes per commit. With more, the first one would wait too long for the last. */
const maxWrites = 100
/** Milliseconds after which no further write joins the commit, since no write gets its response before the commit. */
const maxMilliseconds = 5

interface SharedCommitParts {
  database: Pick<DatabaseSync, 'exec' | 'isTransaction'>
  /** Runs `work` while nobody else uses the connection. */
  takeTurn(work: () => Promise<void>): Promise<void>
  /** Begins the transaction. */
  begin(): Promise<void>
  /** Throws if the file was removed or replaced, so that what is committed to it would be lost. */
  ensureKept(): void
  /** Milliseconds of a monotonic clock. */
  clock(): number
}

export interface SharedCommit {
  /**
   * Runs `work` in one transaction with the other waiting writes, one after another. If `work` throws, it must undo its own part.
   * One user's writes run in order of arrival, and users take turns, so that nobody waits for more than one write of each other
   * user. A write without a user runs in order of arrival. Resolves after the commit.
   */
  write<T>(work: () => Promise<T>, user?: string): Promise<T>
  /** Resolves when no write is waiting. */
  finished(): Promise<void>
}

interface WaitingWrite {
  /** Writes with a lower turn run first. */
  turn: number
  /** Resolves when the write's part is done. Its result is held back until `committed`. */
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
  const waiting: WaitingWrite[] = []
  /** The turn of each user's next write, for users who have written since the queue was last empty. */
  const turns = new Map<string, number>()
  /**
   * The turn of the write that ran last. Users who were not waiting start from this turn: from 0, all their writes would run
   * first.
   */
  let lastTurn = 0
  let running: Promise<void> | undefined

  async function commitAll(): Promise<void> {
    while (waiting.length > 0) {
      await gather()
      await commitSome()
    }
    turns.clear()
    lastTurn = 0
    running = undefined
  }

  /** Waits as long as newly arriving requests add writes, since additional writes cost nearly nothing. */
  async function gather(): Promise<void> {
    for (let before = 0; waiting.length > before && waiting.length < maxWrites; ) {
      before = waiting.length
      await setImmediate()
      // A request takes two turns of the event loop from its arrival to its write: one of them finds its session.
      if (waiting.length > 1) await setImmediate()
    }
  }

  async function commitSome(): Promise<void> {
    const begun: WaitingWrite[] = []
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
      // If the transaction could not begin, reject all waiting writes: otherwise they would be retried forever.
      const failed = open ? begun : waiting.splice(0)
      for (const write of failed) write.failed(error)
    }
  }

  function takeNext(): WaitingWrite | undefined {
    const [first] = waiting
    if (!first) return undefined
    const next = waiting.reduce((earliest, write) => (write.turn < earliest.turn ? write : earliest), first)
    waiting.splice(waiting.indexOf(next), 1)
    lastTurn = next.turn
    return next
  }

  /** The turn of a write that arrives now. */
  function turnOf(user: string | undefined): number {
    if (user === undefined) return lastTurn
    const turn = Math.max(turns.get(user) ?? 0, lastTurn)
    turns.set(user, turn + 1)
    return turn
  }

  async function runSome(begun: WaitingWrite[]): Promise<void> {
    const until = clock() + maxMilliseconds
    do {
      const write = takeNext()
      if (!write) return
      begun.push(write)
      try {
        await write.run()
      } catch (error) {
        // After some errors, such as a full disk, SQLite has already rolled back everything by itself, including the other parts.
        if (!database.isTransaction) throw error
        begun.pop()
        write.failed(error)
      }
    } while (begun.length < maxWrites && clock() < until)
  }

  return {
    write<T>(work: () => Promise<T>, user?: string): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      let result: { value: T } | undefined
      // All waiting writes run in the async context of the caller that started the commit, so each write restores its own
      // context.
      const inOwnContext = AsyncLocalStorage.snapshot()
      waiting.push({
        turn: turnOf(user),
        async run() {
          result = { value: await inOwnContext(work) }
        },
        committed() {
          if (result) resolve(result.value)
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
