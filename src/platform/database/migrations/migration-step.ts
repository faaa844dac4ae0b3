import type { Kysely } from 'kysely'

export type Engine = 'sqlite' | 'postgres'

export interface MigrationStep {
  /** Sorts after the names of all before it. */
  name: string
  /** Runs inside a transaction. A released step is never edited: a change is a new step. */
  up(db: Kysely<unknown>, engine: Engine): Promise<void>
}
