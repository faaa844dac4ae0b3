import { sql } from 'kysely'
import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

/** A sign-up waits until its address is confirmed; a sign-in session ends a year after it began. */
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

    // Sessions that were extended beyond a year before there was a limit. `better-auth.ts` enforces it from now on.
    const end =
      engine === 'postgres'
        ? sql`"createdAt" + interval '365 days'`
        : sql`strftime('%Y-%m-%dT%H:%M:%fZ', "createdAt", '+365 days')`
    await sql`update session set "expiresAt" = ${end} where "expiresAt" > ${end}`.execute(db)
  },
}
