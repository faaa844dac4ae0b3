import { setTimeout as pause } from 'node:timers/promises'
import type { PostgresPool } from 'kysely'
import pg from 'pg'

interface Waiter {
  admit(): void
  reject(error: Error): void
}

/** Milliseconds between two attempts if the server has no connection left. */
const retryEvery = 100

/**
 * A first-come, first-served queue in front of a pool. It lets in as many callers as the pool has connections. The pool alone
 * would count the wait as connecting, which times out much sooner. A caller would also fail as soon as the server, or a pooler in
 * front of it, has fewer connections than the pool asks for; the queue tries again.
 */
export class PostgresQueue implements PostgresPool {
  readonly options: pg.PoolOptions
  readonly #pool: pg.Pool
  readonly #timeout: number
  readonly #waiting: Waiter[] = []
  #free: number
  #ended = false

  /** `patience`: how many milliseconds a caller waits for a connection. */
  constructor(pool: pg.Pool, patience: number) {
    this.#pool = pool
    this.options = pool.options
    this.#timeout = patience
    this.#free = pool.options.max
  }

  async connect(): Promise<pg.PoolClient> {
    const until = performance.now() + this.#timeout
    if (this.#ended) throw databaseClosed()
    if (this.#free > 0) this.#free -= 1
    else await this.#wait()
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
    let isBroken = false
    try {
      return await client.query<Row>(query)
    } catch (error) {
      isBroken = isInDoubt(error)
      throw error
    } finally {
      client.release(isBroken)
    }
  }

  /** Rejects callers that are still waiting, and resolves when all others are done. */
  async end(): Promise<void> {
    this.#ended = true
    for (const { reject } of this.#waiting.splice(0)) reject(databaseClosed())
    await this.#pool.end()
  }

  #wait(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { admit: resolve, reject }
    this.#waiting.push(waiting)
    const givingUp = setTimeout(() => {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
      reject(new Error('No connection to the database came free in time'))
    }, this.#timeout)
    return promise.finally(() => clearTimeout(givingUp))
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next.admit()
    else this.#free += 1
  }

  async #connectBefore(until: number): Promise<pg.PoolClient> {
    for (;;) {
      try {
        return await this.#pool.connect()
      } catch (error) {
        // With jitter, so that refused callers do not all retry at the same moment.
        const wait = retryEvery * (0.5 + Math.random() / 2)
        if (!isOutOfConnections(error) || this.#ended || performance.now() + wait > until) throw error
        await pause(wait)
      }
    }
  }
}

/**
 * Whether it is in doubt, after this error, what the connection has prepared. Only the server's own errors leave no doubt, unless
 * they say that it is something else than we think: that a name is taken or unknown, or that a result has other columns by now.
 * The next connection starts afresh.
 */
export function isInDoubt(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || ['42P05', '26000', '0A000'].includes(error.code ?? '')
}

/** Whether PostgreSQL or PgBouncer reports too many connections. */
function isOutOfConnections(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === '53300' || (error.code === '08P01' && error.message.startsWith('no more connections'))
}

function databaseClosed(): Error {
  return new Error('The database is closed')
}
