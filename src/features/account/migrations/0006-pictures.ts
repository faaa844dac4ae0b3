import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

export const pictures: MigrationStep = {
  name: '0006-pictures',
  async up(db) {
    await db.schema
      .createTable('pictures')
      .addColumn('user_id', 'text', (column) =>
        column.primaryKey().notNull().references('user.id').onDelete('cascade'),
      )
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('webp', 'text', (column) => column.notNull())
      .execute()
  },
}
