import type { Database } from '#platform/database/database.ts'
import { isHidden, listStoodIn } from './subtask-store.ts'

/** The titles and lists of these to-dos, by id. Leaves out deleted to-dos. */
export async function namedTodos(
  db: Database,
  user: string,
  ids: readonly string[],
): Promise<Map<string, { name: string; list_id: string | null }>> {
  const rows = await db.read
    .selectFrom('todos')
    .select(['todos.id', 'todos.title', listStoodIn.as('list_id')])
    .where('todos.user_id', '=', user)
    .where('todos.id', 'in', ids)
    .where('todos.deleted_at', 'is', null)
    .where((eb) => eb.not(isHidden(eb)))
    .execute()
  return new Map(rows.map(({ id, title, list_id }) => [id, { name: title, list_id }]))
}
