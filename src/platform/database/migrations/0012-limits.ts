import { sql } from 'kysely'
import type { MigrationStep } from '../schema/migration-step.ts'

/** Adds what bounds the cost of a single account: packed years, and indexes for counting. */
export const limits: MigrationStep = {
  name: '0012-limits',
  async up(db) {
    // A habit's completions, packed by year. The table starts empty: each year is packed when it is first needed.
    await db.schema
      .createTable('habit_years')
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('habit_id', 'text', (column) => column.notNull())
      .addColumn('year', 'integer', (column) => column.notNull())
      .addColumn('days', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('habit_years_pkey', ['user_id', 'habit_id', 'year'])
      .addForeignKeyConstraint(
        'habit_years_habit_fkey',
        ['user_id', 'habit_id'],
        'habits',
        ['user_id', 'id'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute()

    // For counting a user's deleted rows that wait to be purged. These indexes hold only deleted rows.
    for (const table of ['todos', 'focus_sessions']) {
      await db.schema
        .createIndex(`${table}_deleted`)
        .on(table)
        .columns(['user_id', 'deleted_at'])
        .where(sql.ref('deleted_at'), 'is not', null)
        .execute()
    }
    // Holds everything that is counted about habits, without their rows: a thousand habits with long descriptions fill a thousand
    // pages.
    await db.schema
      .createIndex('habits_counted')
      .on('habits')
      .columns(['user_id', 'deleted_at', 'frequency', 'id', 'start_day'])
      .execute()
  },
}
