import type { Database } from '#platform/database/database.ts'

/** The names of these habits, by their ids; without those that are deleted. */
export async function namedHabits(
  db: Database,
  user: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.read
    .selectFrom('habits')
    .select(['id', 'name'])
    .where('user_id', '=', user)
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
