import type { MigrationStep } from './migration-step.ts'

/**
 * Indexes that hold all that is counted over a range of days, so that the rows of years are not fetched one by one; and
 * one in which the to-dos that were completed last stand first.
 */
export const counting: MigrationStep = {
  name: '0009-counting',
  async up(db) {
    await db.schema.dropIndex('todos_completed').execute()
    await db.schema
      .createIndex('todos_by_completion_day')
      .on('todos')
      .columns(['user_id', 'completed_on', 'deleted_at'])
      .execute()
    await db.schema
      .createIndex('todos_by_completion')
      .on('todos')
      .columns(['user_id', 'completed_at desc', 'id desc', 'completed_on', 'deleted_at'])
      .execute()

    await db.schema.dropIndex('completions_by_day').execute()
    await db.schema
      .createIndex('completions_of_day')
      .on('completions')
      .columns(['user_id', 'day', 'habit_id', 'done'])
      .execute()
    // Without it, SQLite would take the one above for the days of a single habit too, and walk along those of all.
    await db.schema
      .createIndex('completions_of_habit')
      .on('completions')
      .columns(['user_id', 'habit_id', 'day', 'done'])
      .execute()
  },
}
