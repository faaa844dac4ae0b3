import { sql } from 'kysely'
import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

/**
 * Adds the plan of the focus timer and the subject of each session. Existing rows keep 0 as the time of their last change, so any
 * change is newer.
 */
export const focusSubjects: MigrationStep = {
  name: '0023-focus-subjects',
  async up(db) {
    await db.schema
      .alterTable('preferences')
      .addColumn('focus_plan', 'text', (column) =>
        column.notNull().defaultTo('{"focus":25,"break":5,"long_break":15,"every":4,"auto_start":false}'),
      )
      .execute()
    await db.schema
      .alterTable('preferences')
      .addColumn('focus_plan_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()

    await db.schema
      .alterTable('focus_sessions')
      .addColumn('kind', 'text', (column) => column.notNull().defaultTo('countdown'))
      .execute()
    for (const column of ['todo_id', 'habit_id']) {
      await db.schema.alterTable('focus_sessions').addColumn(column, 'text').execute()
    }
    await db.schema
      .alterTable('focus_sessions')
      .addColumn('knows_phases', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    for (const column of ['subject_at', 'time_at']) {
      await db.schema
        .alterTable('focus_sessions')
        .addColumn(column, 'bigint', (added) => added.notNull().defaultTo(0))
        .execute()
    }

    // For counting sessions without the totals of days, which are stored in the same table.
    await db.schema.dropIndex('focus_sessions_by_last_day').execute()
    await db.schema
      .createIndex('focus_sessions_by_last_day')
      .on('focus_sessions')
      .columns(['user_id', 'ended_on', 'id', 'deleted_at', 'kind'])
      .where(sql<boolean>`deleted_at is null`)
      .execute()
    // For finding the sessions about a to-do or a habit.
    for (const subject of ['todo', 'habit']) {
      await db.schema
        .createIndex(`focus_sessions_by_${subject}`)
        .on('focus_sessions')
        .columns(['user_id', `${subject}_id`, 'id', 'deleted_at'])
        .where(sql<boolean>`${sql.ref(`${subject}_id`)} is not null and deleted_at is null`)
        .execute()
    }
  },
}
