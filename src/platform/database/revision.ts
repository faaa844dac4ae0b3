import { randomUUID } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from './tables.ts'

/** Gives a user another revision, and answers it. */
export type RenewRevision = (tx: Transaction<Tables>, user: string) => Promise<string>

/**
 * A revision is never the same again: not even after a copy of the database was put back, where a counter would come to a
 * number that somebody remembers with other rows. Renewing it is the last statement of a write, so that those of one user
 * wait for each other as briefly as can be. It is compiled once, since it is a part of every write.
 */
export function revisionRenewal(db: Kysely<Tables>): RenewRevision {
  // From the user's row: a write of somebody who is deleted meanwhile finds nothing, and that is for it to say.
  const renewal = sql`
    insert into revisions (user_id, revision) select id, ${''} from "user" where id = ${''}
    on conflict (user_id) do update set revision = excluded.revision
  `.compile(db)
  return async (tx, user) => {
    const revision = randomUUID()
    await tx.executeQuery({ ...renewal, parameters: [revision, user] })
    return revision
  }
}
