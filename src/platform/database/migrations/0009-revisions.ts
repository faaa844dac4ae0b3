import { sql } from 'kysely'
import type { MigrationStep } from '../schema/migration-step.ts'

/**
 * A user gets a row with the first write: what was written before this migration has no revision, and is read in full
 * until then.
 */
export const revisions: MigrationStep = {
  name: '0009-revisions',
  async up(db, engine) {
    await db.schema
      .createTable('revisions')
      .addColumn('user_id', 'text', (column) =>
        column.primaryKey().notNull().references('user.id').onDelete('cascade'),
      )
      .addColumn('revision', 'text', (column) => column.notNull())
      // Without row ids it is found in one step: it is read for nearly every request, and written with every write.
      .$call((table) => (engine === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table))
      .execute()
  },
}
