import { CompiledQuery, type DatabaseConnection } from 'kysely'
import type { MigrationStep } from '../schema/migration-step.ts'
import { onlyAdds, onlyAddsSuffix } from '../schema/only-adds.ts'
import { SchemaMoved, type SchemaState } from '../schema/schema-watch.ts'

/**
 * Key of an advisory lock. Every write shares the lock while it commits, and an update that changes tables in use holds the lock
 * exclusively. So neither can begin before the other has ended. The number is arbitrary, but the same in every version of this
 * program.
 */
export const tablesLock = 4_914_202_612

/** Prevents commits to tables that this program was not made for. */
export class Fence {
  /** Called with the reason when a write was refused. */
  onMoved: (state: Exclude<SchemaState, 'current'>) => void = () => {}
  /** Whether a pooler is in between. Behind one, a connection keeps no prepared statements for the next transaction. */
  isPooled = true
  readonly #checks: { lock: string; count: string }
  readonly #prepared = new WeakSet<DatabaseConnection>()

  constructor(steps: readonly MigrationStep[]) {
    const known = steps.filter(({ name }) => !onlyAdds(name)).length
    const refuse = (when: string, state: string) =>
      `select (case when ${when} then '${state}' else '1' end)::int`
    // Two statements: the second one must see what was committed before the first one got the lock.
    this.#checks = {
      lock: refuse(`not pg_try_advisory_xact_lock_shared(${tablesLock})`, moved.updating),
      count: refuse(
        `(select count(*) from kysely_migration where name not like '%${onlyAddsSuffix}') <> ${known}`,
        moved.newer,
      ),
    }
  }

  /**
   * Commits with the checks in the same round trip: if a check fails, nothing is committed. The checks come last, so they see
   * every table change that the transaction may have met.
   */
  async commit(connection: DatabaseConnection, execute: DatabaseConnection['executeQuery']): Promise<void> {
    const { lock, count } = this.#checks
    const checks = this.isPooled ? `${lock}; ${count}` : 'execute daymark_lock; execute daymark_count'
    // Sent without waiting, so that what was sent before travels along.
    const prepared = this.isPooled || this.#prepared.has(connection) || this.#prepare(connection, execute)
    const committed = execute(CompiledQuery.raw(`${checks}; commit`))
    try {
      await Promise.all([prepared, committed])
    } catch (error) {
      const state = movedIn(error)
      if (state === undefined) throw error
      this.onMoved(state)
      throw new SchemaMoved(state)
    }
  }

  /** Also if the commit is then refused: what a connection has prepared outlives the transaction. */
  #prepare(connection: DatabaseConnection, execute: DatabaseConnection['executeQuery']): Promise<unknown> {
    const { lock, count } = this.#checks
    // The one that can fail comes first, since what precedes a failure stays prepared, and could not be prepared again.
    const prepared = execute(
      CompiledQuery.raw(`prepare daymark_count as ${count}; prepare daymark_lock as ${lock}`),
    )
    // Not through a promise of its own: the failure of the commit that follows would be heard of first.
    prepared.then(
      () => this.#prepared.add(connection),
      () => {},
    )
    return prepared
  }
}

// These texts must not be numbers: PostgreSQL fails to cast them to int, and its error then repeats the text.
const moved = { updating: 'daymark: updating', newer: 'daymark: newer' } as const

function movedIn(error: unknown): keyof typeof moved | undefined {
  if (!(error instanceof Error)) return undefined
  // Search for the text alone: the quotes around it depend on the server's language.
  if (error.message.includes(moved.updating)) return 'updating'
  return error.message.includes(moved.newer) ? 'newer' : undefined
}
