import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

export const habits: MigrationStep = {
  name: '0004-habits',
  async up(db) {
    await db.schema
      .createTable('habits')
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('name_at', 'bigint', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addColumn('description_at', 'bigint', (column) => column.notNull())
      .addColumn('frequency', 'text', (column) => column.notNull())
      .addColumn('frequency_at', 'bigint', (column) => column.notNull())
      .addColumn('start_day', 'text', (column) => column.notNull())
      .addColumn('earlier_rhythm', 'text')
      .addColumn('earlier_from', 'text')
      .addColumn('earlier_run', 'integer')
      .addColumn('earlier_longest', 'integer')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('deleted_at', 'bigint')
      .addColumn('deletion_changed_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('habits_pkey', ['user_id', 'id'])
      .execute()

    await db.schema
      .createTable('completions')
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('habit_id', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('done', 'integer', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('completions_pkey', ['user_id', 'habit_id', 'day'])
      .addForeignKeyConstraint(
        'completions_habit_fkey',
        ['user_id', 'habit_id'],
        'habits',
        ['user_id', 'id'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute()
    // For counting all habits over a range of days.
    await db.schema
      .createIndex('completions_by_day')
      .on('completions')
      .columns(['user_id', 'day', 'habit_id'])
      .execute()
  },
}
