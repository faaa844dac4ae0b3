import type { MigrationStep } from '#platform/database/schema/migration-step.ts'
import { hasIndex } from '#platform/database/schema/what-is-there.ts'

/** Restores `todos_newest`, the index in list order, which an earlier version of migration 0011 dropped. */
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
