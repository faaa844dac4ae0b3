import { sql } from 'kysely'
import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

const tables = ['lists', 'todos', 'habits', 'amounts', 'pauses', 'focus_sessions']

/** Adds imports, and to each row which import made or restored it, so that the import can be undone. */
export const imports: MigrationStep = {
  name: '0024-imports',
  async up(db) {
    await db.schema
      .createTable('imports')
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('file', 'text')
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('counts', 'text')
      .addColumn('added', 'text', (column) => column.notNull())
      .addColumn('preferences', 'text')
      .addColumn('undone_at', 'bigint')
      .addColumn('kept', 'text')
      .addPrimaryKeyConstraint('imports_pkey', ['user_id', 'id'])
      .execute()

    for (const table of tables) {
      await db.schema.alterTable(table).addColumn('import_id', 'text').execute()
      await db.schema.alterTable(table).addColumn('imported_at', 'bigint').execute()
      await db.schema.alterTable(table).addColumn('deleted_before_import', 'bigint').execute()
      await db.schema
        .createIndex(`${table}_of_import`)
        .on(table)
        .columns(['user_id', 'import_id', 'id'])
        .where(sql<boolean>`import_id is not null`)
        .execute()
    }
    await db.schema.alterTable('habits').addColumn('starts_before_imports', 'text').execute()

    for (const [table, row] of [
      ['completions', 'habit_id'],
      ['todo_days', 'todo_id'],
    ] as const) {
      await db.schema.alterTable(table).addColumn('import_id', 'text').execute()
      await db.schema.alterTable(table).addColumn('imported_at', 'bigint').execute()
      await db.schema
        .createIndex(`${table}_of_import`)
        .on(table)
        .columns(['user_id', 'import_id', row, 'day'])
        .where(sql<boolean>`import_id is not null`)
        .execute()
    }
    await db.schema.alterTable('completions').addColumn('before_import', 'text').execute()
  },
}
