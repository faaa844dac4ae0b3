import type { MigrationStep } from '#platform/database/schema/migration-step.ts'
import { hasIndex } from '#platform/database/schema/what-is-there.ts'

/** An earlier version of 0011 dropped the index in list order. */
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
