import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

/**
 * Adds invitations, which let a person sign up while sign-up is closed, and closed accounts, which keep their data but cannot be
 * signed in to.
 */
export const invitations: MigrationStep = {
  name: '0016-invitations',
  async up(db) {
    await db.schema
      .createTable('invitations')
      .addColumn('token_hash', 'text', (column) => column.primaryKey().notNull())
      .addColumn('email', 'text')
      .addColumn('name', 'text')
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('closed_accounts')
      .addColumn('user_id', 'text', (column) =>
        column.primaryKey().notNull().references('user.id').onDelete('cascade'),
      )
      .addColumn('closed_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
