import type { Database } from '#platform/database/database.ts'

/**
 * The name and address for mail that the user did not just request. Only a confirmed address gets such mail, and none while the
 * account is closed.
 */
export async function confirmedAddress(
  db: Database,
  user: string,
): Promise<{ name: string; email: string } | undefined> {
  const row = await db.read
    .selectFrom('user')
    .leftJoin('closed_accounts', 'closed_accounts.user_id', 'user.id')
    .select(['name', 'email', 'emailVerified'])
    .where('id', '=', user)
    .where('closed_accounts.user_id', 'is', null)
    .executeTakeFirst()
  return row?.emailVerified ? { name: row.name, email: row.email } : undefined
}
