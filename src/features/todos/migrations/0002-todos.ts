import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

export const todos: MigrationStep = {
  name: '0002-todos',
  async up(db) {
    await db.schema
      .createTable('todos')
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('title_at', 'bigint', (column) => column.notNull())
      .addColumn('completed', 'integer', (column) => column.notNull())
      .addColumn('completed_on', 'text')
      .addColumn('completed_at', 'bigint')
      .addColumn('completed_changed_at', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('deleted_at', 'bigint')
      .addColumn('deletion_changed_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('todos_pkey', ['user_id', 'id'])
      .execute()
    await db.schema
      .createIndex('todos_newest')
      .on('todos')
      .columns(['user_id', 'created_at desc', 'id desc'])
      .execute()
    // For queries of the to-dos completed in a range of days.
    await db.schema
      .createIndex('todos_completed')
      .on('todos')
      .columns(['user_id', 'completed_on', 'completed_at desc'])
      .execute()
  },
}
