import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

/** A user gets a row when they first start the timer. */
export const focusTimers: MigrationStep = {
  name: '0010-focus-timers',
  async up(db) {
    await db.schema
      .createTable('focus_timers')
      .addColumn('user_id', 'text', (column) =>
        column.primaryKey().notNull().references('user.id').onDelete('cascade'),
      )
      .addColumn('timer', 'text', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
