import { sql } from 'kysely'
import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

/** Adds lists, and the list and position of a to-do. */
export const lists: MigrationStep = {
  name: '0017-lists',
  async up(db) {
    await db.schema
      .createTable('lists')
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('name_at', 'bigint', (column) => column.notNull())
      .addColumn('color', 'integer', (column) => column.notNull())
      .addColumn('color_at', 'bigint', (column) => column.notNull())
      .addColumn('position', 'text', (column) => column.notNull())
      .addColumn('position_at', 'bigint', (column) => column.notNull())
      .addColumn('sort', 'text', (column) => column.notNull())
      .addColumn('sort_at', 'bigint', (column) => column.notNull())
      .addColumn('archived_at', 'bigint')
      .addColumn('archive_changed_at', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('deleted_at', 'bigint')
      .addColumn('deletion_changed_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('lists_pkey', ['user_id', 'id'])
      .execute()
    await db.schema
      .createIndex('lists_by_deletion')
      .on('lists')
      .columns(['deleted_at', 'user_id', 'id'])
      .where(sql<boolean>`deleted_at is not null`)
      .execute()

    // Existing rows are not rewritten. A to-do without a position is ordered by its creation. Its fields count as last changed at
    // instant 0, so any later change is newer.
    for (const [column, type] of [
      ['list_id', 'text'],
      ['position', 'text'],
    ] as const) {
      await db.schema.alterTable('todos').addColumn(column, type).execute()
    }
    for (const column of ['list_id_at', 'position_at']) {
      await db.schema
        .alterTable('todos')
        .addColumn(column, 'bigint', (added) => added.notNull().defaultTo(0))
        .execute()
    }
    // An index for the open to-dos of a person who has completed many. As in other indexes, the columns of the condition are
    // included in the index.
    await db.schema
      .createIndex('todos_open')
      .on('todos')
      .columns(['user_id', 'created_at', 'id', 'completed_at', 'deleted_at'])
      .where(sql<boolean>`deleted_at is null and completed_at is null`)
      .execute()
    // An index for counting the completed to-dos of each list.
    await db.schema
      .createIndex('todos_completed_in_list')
      .on('todos')
      .columns(['user_id', 'list_id', 'completed_at', 'deleted_at'])
      .where(sql<boolean>`deleted_at is null and completed_at is not null`)
      .execute()
  },
}
