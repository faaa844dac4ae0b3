import type { MigrationStep } from './migration-step.ts'
import { hasIndex } from './what-is-there.ts'

/** The first text of 0002 made no index of completed to-dos; 0007, which replaces it, looks for one. */
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
