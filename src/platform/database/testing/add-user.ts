import type { Kysely } from 'kysely'
import type { Engine } from '../schema/migration-step.ts'
import type { Tables } from '../tables.ts'

/** Adds a user that rows can belong to, without the cost of signing up. */
export async function addUser(db: Kysely<Tables>, engine: Engine, id: string): Promise<void> {
  const now = new Date(0).toISOString()
  await db
    .insertInto('user')
    .values({
      id,
      name: id,
      email: `${id}@example.org`,
      emailVerified: engine === 'sqlite' ? 0 : false,
      image: null,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
}
