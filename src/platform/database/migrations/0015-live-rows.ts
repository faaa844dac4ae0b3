import { sql } from 'kysely'
import type { MigrationStep } from '../schema/migration-step.ts'

/**
 * Keeps deleted rows and undone completions out of the main indexes. Adds indexes that find rows to purge without a full scan,
 * and a table that marks accounts being deleted.
 */
export const liveRows: MigrationStep = {
  name: '0015-live-rows',
  async up(db) {
    for (const index of [
      'todos_newest',
      'todos_by_completion_day',
      'todos_by_completion',
      'completions_of_day',
      'completions_of_habit',
      'focus_sessions_by_last_day',
      'focus_sessions_deleted',
      'focus_days_by_day',
    ]) {
      await db.schema.dropIndex(index).execute()
    }
    // Each index also contains the column of its `where` condition: otherwise SQLite would fetch the row to check the condition.
    const live = sql<boolean>`deleted_at is null`
    const deleted = sql<boolean>`deleted_at is not null`
    const done = sql<boolean>`done = 1`

    await db.schema
      .createIndex('todos_newest')
      .on('todos')
      .columns(['user_id', 'created_at desc', 'id desc'])
      .where(live)
      .execute()
    await db.schema
      .createIndex('todos_by_completion_day')
      .on('todos')
      .columns(['user_id', 'completed_on', 'deleted_at'])
      .where(sql<boolean>`deleted_at is null and completed_on is not null`)
      .execute()
    await db.schema
      .createIndex('todos_by_completion')
      .on('todos')
      .columns(['user_id', 'completed_at desc', 'id desc', 'completed_on', 'deleted_at'])
      .where(sql<boolean>`deleted_at is null and completed_at is not null`)
      .execute()

    await db.schema
      .createIndex('completions_of_day')
      .on('completions')
      .columns(['user_id', 'day', 'habit_id', 'done'])
      .where(done)
      .execute()
    await db.schema
      .createIndex('completions_of_habit')
      .on('completions')
      .columns(['user_id', 'habit_id', 'day', 'done'])
      .where(done)
      .execute()

    await db.schema
      .createIndex('focus_sessions_by_last_day')
      .on('focus_sessions')
      .columns(['user_id', 'ended_on', 'id', 'deleted_at'])
      .where(live)
      .execute()
    await db.schema
      .createIndex('focus_sessions_deleted')
      .on('focus_sessions')
      .columns(['user_id', 'id', 'deleted_at'])
      .where(deleted)
      .execute()
    // The index includes the seconds, so that they can be summed without reading the rows.
    await db.schema
      .createIndex('focus_days_by_day')
      .on('focus_days')
      .columns(['user_id', 'day', 'session_id', 'seconds'])
      .execute()

    for (const table of ['todos', 'habits', 'focus_sessions']) {
      await db.schema
        .createIndex(`${table}_by_deletion`)
        .on(table)
        .columns(['deleted_at', 'user_id', 'id'])
        .where(deleted)
        .execute()
    }

    await db.schema
      .createTable('deleted_accounts')
      .addColumn('user_id', 'text', (column) =>
        column.primaryKey().notNull().references('user.id').onDelete('cascade'),
      )
      .execute()
  },
}
