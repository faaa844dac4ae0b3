import { sql } from 'kysely'
import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

/**
 * Adds columns for subtasks, notes, priorities, estimates and tags. Existing rows need no update: they count as last changed at
 * instant 0, so any change wins.
 */
export const todoDetails: MigrationStep = {
  name: '0019-todo-details',
  async up(db) {
    for (const [column, type] of [
      ['parent_id', 'text'],
      ['estimate', 'integer'],
      ['tags', 'text'],
    ] as const) {
      await db.schema.alterTable('todos').addColumn(column, type).execute()
    }
    await db.schema
      .alterTable('todos')
      .addColumn('note', 'text', (added) => added.notNull().defaultTo(''))
      .execute()
    for (const [column, type] of [
      ['priority', 'integer'],
      ['parent_id_at', 'bigint'],
      ['note_at', 'bigint'],
      ['priority_at', 'bigint'],
      ['estimate_at', 'bigint'],
      ['tags_at', 'bigint'],
    ] as const) {
      await db.schema
        .alterTable('todos')
        .addColumn(column, type, (added) => added.notNull().defaultTo(0))
        .execute()
    }
    await db.schema
      .createIndex('todos_by_parent')
      .on('todos')
      .columns(['user_id', 'parent_id', 'id'])
      .where('parent_id', 'is not', null)
      .execute()
    await db.schema
      .createIndex('todos_tagged')
      .on('todos')
      .columns(['user_id', 'id'])
      .where(sql<boolean>`tags is not null and deleted_at is null`)
      .execute()

    await db.schema
      .createTable('todo_tags')
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('todo_id', 'text', (column) => column.notNull())
      .addColumn('tag', 'text', (column) => column.notNull())
      .addColumn('spelling', 'text', (column) => column.notNull())
      .addColumn('is_on', 'integer', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('todo_tags_pkey', ['user_id', 'todo_id', 'tag', 'changed_at'])
      .execute()
    await db.schema
      .createIndex('todo_tags_by_tag')
      .on('todo_tags')
      .columns(['user_id', 'tag', 'todo_id'])
      .execute()
    await db.schema
      .createTable('tag_changes')
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('tag', 'text', (column) => column.notNull())
      .addColumn('renamed_to', 'text')
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('tag_changes_pkey', ['user_id', 'tag', 'changed_at'])
      .execute()
  },
}
