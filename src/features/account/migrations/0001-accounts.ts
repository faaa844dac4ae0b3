import { type ColumnDefinitionBuilder, sql } from 'kysely'
import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

/**
 * better-auth's tables, with the column types that it expects in each engine. A test checks that better-auth would migrate
 * nothing.
 */
export const accounts: MigrationStep = {
  name: '0001-accounts',
  async up(db, engine) {
    const instant = engine === 'postgres' ? 'timestamptz' : 'date'
    const flag = engine === 'postgres' ? 'boolean' : 'integer'
    const stamped = (column: ColumnDefinitionBuilder) =>
      engine === 'postgres' ? column.notNull().defaultTo(sql`current_timestamp`) : column.notNull()
    const required = (column: ColumnDefinitionBuilder) => column.notNull()
    const key = (column: ColumnDefinitionBuilder) => column.primaryKey().notNull()
    const unique = (column: ColumnDefinitionBuilder) => column.notNull().unique()
    const ofUser = (column: ColumnDefinitionBuilder) =>
      column.notNull().references('user.id').onDelete('cascade')

    await db.schema
      .createTable('user')
      .addColumn('id', 'text', key)
      .addColumn('name', 'text', required)
      .addColumn('email', 'text', unique)
      .addColumn('emailVerified', flag, required)
      .addColumn('image', 'text')
      .addColumn('createdAt', instant, stamped)
      .addColumn('updatedAt', instant, stamped)
      .execute()

    await db.schema
      .createTable('session')
      .addColumn('id', 'text', key)
      .addColumn('expiresAt', instant, required)
      .addColumn('token', 'text', unique)
      .addColumn('createdAt', instant, stamped)
      .addColumn('updatedAt', instant, required)
      .addColumn('ipAddress', 'text')
      .addColumn('userAgent', 'text')
      .addColumn('userId', 'text', ofUser)
      .execute()
    await db.schema.createIndex('session_userId_idx').on('session').column('userId').execute()

    await db.schema
      .createTable('account')
      .addColumn('id', 'text', key)
      .addColumn('accountId', 'text', required)
      .addColumn('providerId', 'text', required)
      .addColumn('userId', 'text', ofUser)
      .addColumn('accessToken', 'text')
      .addColumn('refreshToken', 'text')
      .addColumn('idToken', 'text')
      .addColumn('accessTokenExpiresAt', instant)
      .addColumn('refreshTokenExpiresAt', instant)
      .addColumn('scope', 'text')
      .addColumn('password', 'text')
      .addColumn('createdAt', instant, stamped)
      .addColumn('updatedAt', instant, required)
      .execute()
    await db.schema.createIndex('account_userId_idx').on('account').column('userId').execute()

    await db.schema
      .createTable('verification')
      .addColumn('id', 'text', key)
      .addColumn('identifier', 'text', required)
      .addColumn('value', 'text', required)
      .addColumn('expiresAt', instant, required)
      .addColumn('createdAt', instant, stamped)
      .addColumn('updatedAt', instant, stamped)
      .execute()
    await db.schema
      .createIndex('verification_identifier_idx')
      .on('verification')
      .column('identifier')
      .execute()

    await db.schema
      .createTable('rateLimit')
      .addColumn('id', 'text', key)
      .addColumn('key', 'text', unique)
      .addColumn('count', 'integer', required)
      .addColumn('lastRequest', 'bigint', required)
      .execute()
  },
}
