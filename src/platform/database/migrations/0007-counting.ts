import type { MigrationStep } from '../schema/migration-step.ts'

/**
 * Adds covering indexes for everything that is counted over a range of days, so that years of rows are not fetched one by one.
 * Another index orders to-dos by completion, the latest first.
 */
export const counting: MigrationStep = {
  name: '0007-counting',
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
    // Without this index, SQLite would also use `completions_of_day` for the days of a single habit, and scan the days of all
    // habits.
    await db.schema
      .createIndex('completions_of_habit')
      .on('completions')
      .columns(['user_id', 'habit_id', 'day', 'done'])
      .execute()
  },
}
