import { sql } from 'kysely'
import type { MigrationStep } from '../schema/migration-step.ts'

/**
 * Adds revisions. A user gets a revision with the first write after this migration; until then clients read everything in full.
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
      // Without row ids, a revision is found in one step. It is read for nearly every request and written with every write.
      .$call((table) => (engine === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table))
      .execute()
  },
}
