import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

/** Limits the indexes of completions to completed to-dos. Then adding an open to-do writes to fewer indexes. */
export const partialCompletions: MigrationStep = {
  name: '0011-partial-completions',
  async up(db) {
    await db.schema.dropIndex('todos_by_completion_day').execute()
    await db.schema
      .createIndex('todos_by_completion_day')
      .on('todos')
      .columns(['user_id', 'completed_on', 'deleted_at'])
      .where('completed_on', 'is not', null)
      .execute()
    await db.schema.dropIndex('todos_by_completion').execute()
    await db.schema
      .createIndex('todos_by_completion')
      .on('todos')
      .columns(['user_id', 'completed_at desc', 'id desc', 'completed_on', 'deleted_at'])
      .where('completed_at', 'is not', null)
      .execute()
  },
}
