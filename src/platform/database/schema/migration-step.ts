import type { Kysely } from 'kysely'

export type Engine = 'sqlite' | 'postgres'

export interface MigrationStep {
  /**
   * Sorts after the names of all earlier steps. Ends in `-only-adds` if older programs can keep working beside it: see
   * `only-adds.ts`.
   */
  name: string
  /** Runs inside a transaction. A step that has landed is never edited or renamed; a correction is a new step. */
  up(db: Kysely<unknown>, engine: Engine): Promise<void>
}
