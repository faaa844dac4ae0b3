import { randomUUID } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * Gives the user another revision, which is never the same again: not even after a copy of the database was put back,
 * where a counter would come to a number that somebody remembers with other rows.
 * The last statement of a write, so that those of one user wait for each other as briefly as can be.
 */
export async function renewRevision(tx: Transaction<Tables>, user: string): Promise<void> {
  // From the user's row: a write of somebody who is deleted meanwhile finds nothing, and that is for it to say.
  await sql`
    insert into revisions (user_id, revision) select id, ${randomUUID()} from "user" where id = ${user}
    on conflict (user_id) do update set revision = excluded.revision
  `.execute(tx)
}
