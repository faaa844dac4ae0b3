import type { MigrationStep } from '#platform/database/schema/migration-step.ts'
import { hasIndex } from '#platform/database/schema/what-is-there.ts'

/**
 * Adds the index of completed to-dos that the first version of migration 0002 did not create. Migration 0007 replaces this index
 * and expects it to exist.
 */
export const todosMended: MigrationStep = {
  name: '0002-todos-mended',
  async up(db, engine) {
    const isReplaced = await hasIndex(db, engine, 'todos_by_completion')
    if (isReplaced || (await hasIndex(db, engine, 'todos_completed'))) return
    await db.schema
      .createIndex('todos_completed')
      .on('todos')
      .columns(['user_id', 'completed_on', 'completed_at desc'])
      .execute()
  },
}
