import type { MigrationStep } from '../schema/migration-step.ts'
import { madeBy, remake } from '../schema/what-is-there.ts'

/**
 * Rebuilds the `revisions` table on SQLite without row ids. Migration 0009 first made it with row ids, which take two steps to
 * find a revision.
 */
export const revisionsMended: MigrationStep = {
  name: '0009-revisions-mended',
  async up(db, engine) {
    if (engine !== 'sqlite') return
    const statement = await madeBy(db, 'revisions')
    if (!statement.endsWith('without rowid')) await remake(db, 'revisions', `${statement} without rowid`)
  },
}
