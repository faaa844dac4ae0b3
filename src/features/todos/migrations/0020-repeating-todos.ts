import { sql } from 'kysely'
import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

/** Adds repeating to-dos, the states of their occurrences, and reminders tied to the due day. Existing rows need no update. */
export const repeatingTodos: MigrationStep = {
  name: '0020-repeating-todos',
  async up(db) {
    for (const column of ['repeat', 'earlier', 'earlier_before', 'reminder']) {
      await db.schema.alterTable('todos').addColumn(column, 'text').execute()
    }
    await db.schema
      .alterTable('todos')
      .addColumn('repeat_at', 'bigint', (added) => added.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('todos')
      .addColumn('times_done', 'integer', (added) => added.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createIndex('todos_done_repeatedly')
      .on('todos')
      .columns(['user_id', 'id'])
      .where(sql<boolean>`times_done > 0`)
      .execute()
    await db.schema
      .createIndex('todos_repeating')
      .on('todos')
      .columns(['user_id', 'id'])
      .where(sql<boolean>`repeat is not null and deleted_at is null`)
      .execute()

    await db.schema
      .createTable('todo_days')
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('todo_id', 'text', (column) => column.notNull())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('done_on', 'text')
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .addColumn('moved_to', 'text')
      .addColumn('moved_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('todo_days_pkey', ['user_id', 'todo_id', 'day'])
      .execute()
    await db.schema
      .createIndex('todo_days_done')
      .on('todo_days')
      .columns(['user_id', 'todo_id', 'done_on'])
      .where(sql<boolean>`state = 'done'`)
      .execute()
    await db.schema
      .createIndex('todo_days_by_completion')
      .on('todo_days')
      .columns(['user_id', 'changed_at desc', 'todo_id desc', 'day desc', 'done_on'])
      .where(sql<boolean>`state = 'done'`)
      .execute()
  },
}
