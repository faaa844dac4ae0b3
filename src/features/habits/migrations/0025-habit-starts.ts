import { type Kysely, sql } from 'kysely'
import type { MigrationStep } from '#platform/database/schema/migration-step.ts'

/**
 * Makes the start of a habit an editable field. The first earlier entry is stored beside the start: when that entry is taken
 * back, the habit begins at the chosen start again.
 */
export const habitStarts: MigrationStep = {
  name: '0025-habit-starts',
  async up(db) {
    await db.schema
      .alterTable('habits')
      .addColumn('start_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('habits').addColumn('first_entry_day', 'text').execute()
    await db.schema.alterTable('habits').addColumn('made_by_import', 'text').execute()
    await sql`
      update habits set start_at = created_at,
        made_by_import = case when deleted_before_import is null then import_id end`.execute(db)

    await undoMoves(db)
    await db.schema.alterTable('habits').dropColumn('starts_before_imports').execute()

    await db.schema.dropIndex('habits_counted').execute()
    await db.schema
      .createIndex('habits_counted')
      .on('habits')
      .columns(['user_id', 'deleted_at', 'id', 'start_day', 'first_entry_day', 'archived_at'])
      .execute()
  },
}

interface Moved {
  user_id: string
  id: string
  start_day: string
  starts_before_imports: string
}

/**
 * Where imports moved a start, restores the start from before the first import. The earlier start becomes the day of the first
 * entry.
 */
async function undoMoves(db: Kysely<unknown>): Promise<void> {
  for (let [user, id] = ['', '']; ; ) {
    const { rows } = await sql<Moved>`
      select user_id, id, start_day, starts_before_imports from habits
      where starts_before_imports is not null and (user_id, id) > (${user}, ${id})
      order by user_id, id limit 1000`.execute(db)
    for (const { user_id, id, start_day, starts_before_imports } of rows) {
      const moves: { from: string }[] = JSON.parse(starts_before_imports)
      const first = moves.reduce((latest, { from }) => (from > latest ? from : latest), start_day)
      if (first === start_day) continue
      await sql`
        update habits set start_day = ${first}, first_entry_day = ${start_day}
        where user_id = ${user_id} and id = ${id}`.execute(db)
    }
    const last = rows.at(-1)
    if (!last) return
    ;[user, id] = [last.user_id, last.id]
  }
}
