import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

/**
 * Adds the screen with which Daymark opens. Existing rows are not rewritten. Their start page counts as last changed at instant
 * 0, so any later change is newer.
 */
export const startPage: MigrationStep = {
  name: '0021-start-page',
  async up(db) {
    await db.schema
      .alterTable('preferences')
      .addColumn('start_page', 'text', (column) => column.notNull().defaultTo('todos'))
      .execute()
    await db.schema
      .alterTable('preferences')
      .addColumn('start_page_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
