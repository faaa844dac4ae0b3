import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

/**
 * Adds how a person's to-dos are sorted. Existing rows are not rewritten. Their sort counts as last changed at instant 0, so any
 * later change is newer.
 */
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
