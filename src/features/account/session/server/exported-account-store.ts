import type { Database } from '#platform/database/database.ts'

/** Name and email of an account, for its export. Undefined if the account is gone. */
export async function exportAccount(
  db: Database,
  user: string,
): Promise<{ name: string; email: string } | undefined> {
  return db.read.selectFrom('user').select(['name', 'email']).where('id', '=', user).executeTakeFirst()
}
