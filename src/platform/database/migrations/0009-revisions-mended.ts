import type { MigrationStep } from '../schema/migration-step.ts'
import { madeBy, remake } from '../schema/what-is-there.ts'

/** The first text of 0009 kept row ids on SQLite, with which finding a revision takes two steps. */
export const revisionsMended: MigrationStep = {
  name: '0009-revisions-mended',
  async up(db, engine) {
    if (engine !== 'sqlite') return
    const statement = await madeBy(db, 'revisions')
    if (!statement.endsWith('without rowid')) await remake(db, 'revisions', `${statement} without rowid`)
  },
}
