import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

/** Adds how a person's to-dos are sorted. No row is rewritten: any later change is newer than 0. */
export const todosSort: MigrationStep = {
  name: '0018-todos-sort',
  async up(db) {
    await db.schema
      .alterTable('preferences')
      .addColumn('todos_sort', 'text', (column) => column.notNull().defaultTo('newest'))
      .execute()
    await db.schema
      .alterTable('preferences')
      .addColumn('todos_sort_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
