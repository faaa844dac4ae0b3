import type { Database } from '#platform/database/database.ts'

/** Name and email of an account, for the file that holds all of it. Undefined when the account is gone. */
export async function exportAccount(
  db: Database,
  user: string,
): Promise<{ name: string; email: string } | undefined> {
  return db.read.selectFrom('user').select(['name', 'email']).where('id', '=', user).executeTakeFirst()
}
