import { AsyncLocalStorage } from 'node:async_hooks'
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'

// Waiting for the disk is nearly the whole cost of a write, and it costs the same for one as for a hundred.

/** Writes per commit. More would make the first of them wait for the last. */
const maxWrites = 100
/** Milliseconds after which no further write joins the commit, since nobody gets a response before it. */
const maxMilliseconds = 5

interface SharedCommitParts {
  database: Pick<DatabaseSync, 'exec' | 'isTransaction'>
  /** Runs `work` while nobody else uses the connection. */
  takeTurn(work: () => Promise<void>): Promise<void>
  /** Begins the transaction. */
  begin(): Promise<void>
  /** Throws if what was committed is lost after all. */
  ensureKept(): void
  /** Milliseconds of a monotonic clock. */
  clock(): number
}

export interface SharedCommit {
  /**
   * Runs `work`, which has to undo its own part when it throws, in one transaction with the other waiting writes, one
   * after another: those of one user in order of arrival, and users take turns. So nobody waits for more than one write of each
   * other user. One that is of no user comes in order of arrival. Resolves after the commit.
   */
  write<T>(work: () => Promise<T>, user?: string): Promise<T>
  /** Resolves when no write is waiting. */
  finished(): Promise<void>
}

interface WaitingWrite {
  /** Those with a lower one come first. */
  turn: number
  /** Resolves when its part is done; its result is held back until `committed`. */
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
  /** The turns of each user, since writes began to wait. */
  const turns = new Map<string, number>()
  /** Of whoever had the last one: the turns of newcomers count from here, or they would all come first. */
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

  /** Waits as long as newly arriving requests add writes, since those cost nearly nothing. */
  async function gather(): Promise<void> {
    for (let before = 0; waiting.length > before && waiting.length < maxWrites; ) {
      before = waiting.length
      await setImmediate()
      // A request takes two turns of the event loop from its arrival to its write, since one goes to finding its
      // session.
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
      // None could begin: unless they are rejected, they would be retried forever.
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
        // After some errors, such as a full disk, SQLite has undone everything on its own, including the other parts.
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
      // One caller's context runs all waiting writes, so each restores its own.
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
