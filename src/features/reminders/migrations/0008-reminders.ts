import { sql } from 'kysely'
import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

export const reminders: MigrationStep = {
  name: '0008-reminders',
  async up(db) {
    for (const [column, type] of [
      ['reminder_time', 'integer'],
      ['reminder_weekdays', 'text'],
    ] as const) {
      await db.schema.alterTable('habits').addColumn(column, type).execute()
    }
    for (const [column, type] of [
      ['due_day', 'text'],
      ['remind_at', 'bigint'],
      ['reminded_at', 'bigint'],
    ] as const) {
      await db.schema.alterTable('todos').addColumn(column, type).execute()
    }
    // A field that nobody has changed yet counts as changed when the row was created.
    for (const [table, column] of [
      ['habits', 'reminder_changed_at'],
      ['todos', 'due_day_at'],
      ['todos', 'remind_changed_at'],
    ] as const) {
      await db.schema
        .alterTable(table)
        .addColumn(column, 'bigint', (added) => added.notNull().defaultTo(0))
        .execute()
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = created_at`.execute(db)
    }

    await db.schema
      .createTable('alarms')
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('row_id', 'text', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('reminded_on', 'text')
      .addColumn('day', 'text')
      .addPrimaryKeyConstraint('alarms_pkey', ['user_id', 'kind', 'row_id'])
      .execute()
    // For finding due alarms across all accounts. The indexes further down are for finding deliveries to send.
    await db.schema.createIndex('alarms_due').on('alarms').column('due_at').execute()

    await db.schema
      .createTable('push_devices')
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('session_id', 'text', (column) =>
        column.notNull().unique().references('session.id').onDelete('cascade'),
      )
      .addColumn('endpoint', 'text', (column) => column.notNull())
      .addColumn('p256dh', 'text', (column) => column.notNull())
      .addColumn('auth', 'text', (column) => column.notNull())
      .addColumn('added_at', 'bigint', (column) => column.notNull())
      .addColumn('last_at', 'bigint')
      .addColumn('last_outcome', 'text')
      .addPrimaryKeyConstraint('push_devices_pkey', ['user_id', 'id'])
      .addUniqueConstraint('push_devices_endpoint', ['endpoint', 'user_id'])
      .execute()

    await db.schema
      .createTable('mail_reminders')
      .addColumn('user_id', 'text', (column) =>
        column.primaryKey().notNull().references('user.id').onDelete('cascade'),
      )
      .execute()

    await db.schema
      .createTable('deliveries')
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('row_id', 'text', (column) => column.notNull())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('day', 'text')
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('send_at', 'bigint', (column) => column.notNull())
      .addColumn('tries', 'integer', (column) => column.notNull())
      .addColumn('claim', 'text')
      .addPrimaryKeyConstraint('deliveries_pkey', ['user_id', 'kind', 'row_id', 'target'])
      .execute()
    // One index for pushes and one for mail, so that a search for pushes does not walk over mail, and vice versa.
    for (const [index, of] of [
      ['deliveries_to_push', '<>'],
      ['deliveries_to_mail', '='],
    ] as const) {
      await db.schema
        .createIndex(index)
        .on('deliveries')
        .column('send_at')
        .where(sql.ref('target'), of, 'mail')
        .execute()
    }

    await db.schema
      .createTable('push_keys')
      .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
      .addColumn('public_key', 'text', (column) => column.notNull())
      .addColumn('private_key', 'text', (column) => column.notNull())
      .execute()
  },
}
