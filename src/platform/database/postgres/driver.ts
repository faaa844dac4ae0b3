import type { DatabaseConnection, Driver, TransactionSettings } from 'kysely'
import type pg from 'pg'
import { leavingThread } from '../pacing/work.ts'
import type { WriteGuard } from '../write-guard.ts'
import { PostgresConnection } from './connection.ts'
import type { Fence } from './fence.ts'

interface Clients {
  connect(): Promise<pg.PoolClient>
  end(): Promise<void>
}

/** Hands out the connections of a pool. With a fence, every commit is checked by it. */
export class GuardedPostgresDriver implements Driver {
  readonly #clients: Clients
  readonly #guard: WriteGuard
  readonly #fence: Fence | undefined
  readonly #longestStatement: number | undefined
  readonly #connections = new WeakMap<pg.PoolClient, PostgresConnection>()

  /** `longestStatement`: milliseconds after which the server gives up a statement of a transaction that writes. */
  constructor(clients: Clients, guard: WriteGuard, fence?: Fence, longestStatement?: number) {
    this.#clients = clients
    this.#guard = guard
    this.#fence = fence
    this.#longestStatement = longestStatement
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresConnection> {
    this.#guard.refuseInside()
    // Measure no processor time for this request while it waits for the database. The response starts the measuring again.
    leavingThread()
    const client = await this.#clients.connect()
    const connection =
      this.#connections.get(client) ?? new PostgresConnection(client, this.#fence, this.#longestStatement)
    this.#connections.set(client, connection)
    return connection
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    ofOurs(connection).begin(settings)
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await ofOurs(connection).commit()
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await ofOurs(connection).rollback()
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    ofOurs(connection).release()
  }

  async destroy(): Promise<void> {
    await this.#clients.end()
  }
}

export function ofOurs(connection: DatabaseConnection): PostgresConnection {
  if (connection instanceof PostgresConnection) return connection
  throw new Error('A connection that another driver made')
}
