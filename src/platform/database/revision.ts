import { randomUUID } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Change } from './changes.ts'
import type { Tables } from './tables.ts'

/** Gives a user another revision, and answers it. */
export type RenewRevision = (tx: Transaction<Tables>, user: string) => Promise<Omit<Change, 'lists'>>

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
    return { revision }
  }
}

/** The same where several processes write: it answers the revision before, too. */
export function chainedRevisionRenewal(db: Kysely<Tables>): RenewRevision {
  // The lock comes first: otherwise the revision before would be the one from before a write that was waited for.
  const renewal = sql`
    update revisions set revision = ${''}
    from (select user_id, revision from revisions where user_id = ${''} for update) as earlier
    where revisions.user_id = earlier.user_id
    returning earlier.revision as before
  `.compile(db)
  const first = sql`
    insert into revisions (user_id, revision) select id, ${''} from "user" where id = ${''}
    on conflict (user_id) do nothing
    returning '' as before
  `.compile(db)
  return async (tx, user) => {
    const revision = randomUUID()
    // Where two writes of a user are the first, the second finds the row of the other only after it could add none. Nobody
    // is left to tell where none of them finds one.
    for (const query of [renewal, first, renewal]) {
      const { rows } = await tx.executeQuery<{ before: string }>({ ...query, parameters: [revision, user] })
      if (rows[0]) return { revision, before: rows[0].before }
    }
    return { revision }
  }
}
