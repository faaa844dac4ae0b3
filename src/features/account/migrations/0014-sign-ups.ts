import { sql } from 'kysely'
import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

/** Adds sign-ups that wait until their address is confirmed, and ends each sign-in session a year after it began. */
export const signUps: MigrationStep = {
  name: '0014-sign-ups',
  async up(db, engine) {
    await db.schema
      .createTable('sign_ups')
      .addColumn('token_hash', 'text', (column) => column.primaryKey().notNull())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('password_hash', 'text', (column) => column.notNull())
      .addColumn('device_hash', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('sign_ups_by_email').on('sign_ups').column('email').execute()

    // Sessions from before the limit may have been extended beyond a year. `better-auth.ts` enforces the limit from now on.
    const end =
      engine === 'postgres'
        ? sql`"createdAt" + interval '365 days'`
        : sql`strftime('%Y-%m-%dT%H:%M:%fZ', "createdAt", '+365 days')`
    await sql`update session set "expiresAt" = ${end} where "expiresAt" > ${end}`.execute(db)
  },
}
