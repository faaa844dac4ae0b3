import { sql } from 'kysely'
import type { MigrationStep } from '../schema/migration-step.ts'

/**
 * Keeps deleted rows, and completions that were taken back, out of the indexes for the rest, finds what is to be purged
 * without scanning the rest, and marks accounts that are being deleted.
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
    // The column that decides whether a row is in an index is repeated in it: otherwise SQLite fetches the row to
    // check.
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
    // Includes the seconds, which are added up.
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
