import type { MigrationStep } from '../schema/migration-step.ts'

/**
 * Adds the log of which rows each write changed. It begins empty: until a write is logged, devices read whole collections. An older
 * program beside this one renews revisions without logging; the revisions in the log show such a gap.
 */
export const rowChanges: MigrationStep = {
  name: '0026-row-changes-only-adds',
  async up(db) {
    await db.schema
      .alterTable('revisions')
      .addColumn('number', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createTable('row_changes')
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('number', 'bigint', (column) => column.notNull())
      .addColumn('revision', 'text', (column) => column.notNull())
      .addColumn('before', 'text', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .addColumn('rows', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('row_changes_key', ['user_id', 'number'])
      .execute()
    await db.schema.createIndex('row_changes_by_time').on('row_changes').column('changed_at').execute()
  },
}
