import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

export const preferences: MigrationStep = {
  name: '0003-preferences',
  async up(db) {
    await db.schema
      .createTable('preferences')
      .addColumn('user_id', 'text', (column) =>
        column.primaryKey().notNull().references('user.id').onDelete('cascade'),
      )
      .addColumn('time_zone', 'text', (column) => column.notNull())
      .addColumn('time_zone_follows_browser', 'integer', (column) => column.notNull())
      .addColumn('time_zone_at', 'bigint', (column) => column.notNull())
      .addColumn('day_start', 'integer', (column) => column.notNull())
      .addColumn('day_start_at', 'bigint', (column) => column.notNull())
      .addColumn('week_start', 'integer', (column) => column.notNull())
      .addColumn('week_start_at', 'bigint', (column) => column.notNull())
      .addColumn('theme', 'text', (column) => column.notNull())
      .addColumn('theme_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
