import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

/** Invitations let a person in while sign-up is closed; a closed account keeps its data and signs nobody in. */
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
