import { sql } from 'kysely'
import type { MigrationStep } from '../schema/migration-step.ts'

/** Due rows are processed user by user, in turns, so these indexes start with the user. */
export const turns: MigrationStep = {
  name: '0013-turns',
  async up(db) {
    await db.schema.createIndex('alarms_of_user').on('alarms').columns(['user_id', 'due_at']).execute()
    for (const [index, of] of [
      ['deliveries_to_push', '<>'],
      ['deliveries_to_mail', '='],
    ] as const) {
      await db.schema.dropIndex(index).execute()
      await db.schema
        .createIndex(index)
        .on('deliveries')
        .columns(['user_id', 'send_at'])
        .where(sql.ref('target'), of, 'mail')
        .execute()
    }
  },
}
