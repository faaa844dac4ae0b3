import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

export const focusSessions: MigrationStep = {
  name: '0005-focus-sessions',
  async up(db) {
    await db.schema
      .createTable('focus_sessions')
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('duration', 'integer', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('ended_at', 'bigint', (column) => column.notNull())
      .addColumn('ended_on', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('deleted_at', 'bigint')
      .addColumn('deletion_changed_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('focus_sessions_pkey', ['user_id', 'id'])
      .execute()
    // For counting the sessions in a range of days.
    await db.schema
      .createIndex('focus_sessions_by_last_day')
      .on('focus_sessions')
      .columns(['user_id', 'ended_on', 'deleted_at'])
      .execute()

    await db.schema
      .createTable('focus_days')
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('session_id', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('seconds', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('focus_days_pkey', ['user_id', 'session_id', 'day'])
      .addForeignKeyConstraint(
        'focus_days_session_fkey',
        ['user_id', 'session_id'],
        'focus_sessions',
        ['user_id', 'id'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute()
    // For finding the sessions in a range of days and summing their seconds.
    await db.schema
      .createIndex('focus_days_by_day')
      .on('focus_days')
      .columns(['user_id', 'day', 'session_id'])
      .execute()
  },
}
