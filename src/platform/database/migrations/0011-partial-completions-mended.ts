import type { MigrationStep } from './migration-step.ts'
import { hasIndex } from './what-is-there.ts'

/** A former text of 0011 dropped the index in the order of the list. */
export const partialCompletionsMended: MigrationStep = {
  name: '0011-partial-completions-mended',
  async up(db, engine) {
    if (await hasIndex(db, engine, 'todos_newest')) return
    await db.schema
      .createIndex('todos_newest')
      .on('todos')
      .columns(['user_id', 'created_at desc', 'id desc'])
      .execute()
  },
}
