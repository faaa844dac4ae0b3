import { setTimeout as pause } from 'node:timers/promises'
import type { PostgresPool } from 'kysely'
import type pg from 'pg'

interface Waiting {
  enter(): void
  refuse(error: Error): void
}

/** Milliseconds between two tries to get a connection of a server that has none left. */
const tryEvery = 100

/**
 * The line in front of a pool: as many are let in as it has connections, and whoever comes later waits, first come first
 * served. The pool itself would count the waiting as connecting, which is given up much sooner; and where the server, or a
 * pooler before it, has fewer connections to give than the pool asks for, it would fail whoever asked.
 */
export class PostgresQueue implements PostgresPool {
  readonly options: pg.PoolOptions
  readonly #pool: pg.Pool
  readonly #patience: number
  readonly #waiting: Waiting[] = []
  #free: number
  #ended = false

  /** `patience`: milliseconds that anybody waits for a connection. */
  constructor(pool: pg.Pool, patience: number) {
    this.#pool = pool
    this.options = pool.options
    this.#patience = patience
    this.#free = pool.options.max
  }

  async connect(): Promise<pg.PoolClient> {
    const until = performance.now() + this.#patience
    if (this.#ended) throw databaseClosed()
    if (this.#free > 0) this.#free -= 1
    else await this.#stand()
    try {
      const client = await this.#connectBefore(until)
      const release = client.release.bind(client)
      client.release = (error) => {
        release(error)
        this.#leave()
      }
      return client
    } catch (error) {
      this.#leave()
      throw error
    }
  }

  async query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    const client = await this.connect()
    try {
      return await client.query<Row>(query)
    } finally {
      client.release()
    }
  }

  /** Refuses those who wait, and resolves when the others are done. */
  async end(): Promise<void> {
    this.#ended = true
    for (const { refuse } of this.#waiting.splice(0)) refuse(databaseClosed())
    await this.#pool.end()
  }

  #stand(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { enter: resolve, refuse: reject }
    this.#waiting.push(waiting)
    const givingUp = setTimeout(() => {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
      reject(new Error('No connection to the database came free in time'))
    }, this.#patience)
    return promise.finally(() => clearTimeout(givingUp))
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next.enter()
    else this.#free += 1
  }

  async #connectBefore(until: number): Promise<pg.PoolClient> {
    for (;;) {
      try {
        return await this.#pool.connect()
      } catch (error) {
        // Not all who were refused at once at once again.
        const wait = tryEvery * (0.5 + Math.random() / 2)
        if (!hasNoneLeft(error) || this.#ended || performance.now() + wait > until) throw error
        await pause(wait)
      }
    }
  }
}

/** Too many connections, in the words of PostgreSQL or of PgBouncer. */
function hasNoneLeft(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === '53300' || (error.code === '08P01' && error.message.startsWith('no more connections'))
}

function databaseClosed(): Error {
  return new Error('The database is closed')
}
