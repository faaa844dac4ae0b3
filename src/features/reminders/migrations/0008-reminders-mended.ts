import { type Kysely, sql } from 'kysely'
import type { Engine, MigrationStep } from '#platform/database/schema/migration-step.ts'
import { hasColumn, hasIndex, madeBy, remake } from '#platform/database/schema/what-is-there.ts'

/**
 * Repairs databases made by two earlier versions of 0008. Neither recorded which reminders were sent, and the first had one index
 * for pushes and mail together.
 */
export const remindersMended: MigrationStep = {
  name: '0008-reminders-mended',
  async up(db, engine) {
    if (!(await hasColumn(db, engine, 'todos', 'reminded_at'))) await addRemindedAt(db)
    if (await hasIndex(db, engine, 'deliveries_next')) {
      await splitIntoLanes(db)
      await findDevicesByEndpoint(db, engine)
    }
  },
}

async function addRemindedAt(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('todos').addColumn('reminded_at', 'bigint').execute()
  // An open to-do without an alarm has already had its reminder. If `reminded_at` stayed empty, a change that arrives late would
  // send the reminder again.
  await sql`
    update todos set reminded_at = remind_at
    where remind_at is not null and completed = 0 and deleted_at is null and not exists (
      select 1 from alarms
      where alarms.user_id = todos.user_id and alarms.kind = 'todo' and alarms.row_id = todos.id
    )`.execute(db)
}

async function splitIntoLanes(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('deliveries_next').execute()
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
}

async function findDevicesByEndpoint(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine === 'sqlite') {
    const statement = await madeBy(db, 'push_devices')
    await remake(db, 'push_devices', statement.replace('("user_id", "endpoint")', '("endpoint", "user_id")'))
    return
  }
  await db.schema.alterTable('push_devices').dropConstraint('push_devices_endpoint').execute()
  await db.schema
    .alterTable('push_devices')
    .addUniqueConstraint('push_devices_endpoint', ['endpoint', 'user_id'])
    .execute()
}
