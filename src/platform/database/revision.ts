import { randomUUID } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Change } from './changes.ts'
import type { Tables } from './tables.ts'

/** Gives a user a new revision, and returns it. */
export type RenewRevision = (tx: Transaction<Tables>, user: string) => Promise<Omit<Change, 'collections'>>

/**
 * A revision never repeats, not even after a backup is restored, where a counter would reach a number that a client
 * remembers with different rows. Renewing it is the last statement of a write, so that writes of the same user wait for
 * each other as briefly as possible. It is compiled once, since it is part of every write.
 */
export function revisionRenewal(db: Kysely<Tables>): RenewRevision {
  // Selected from the user's row: if the user has been deleted meanwhile, the write finds nothing, and has to report
  // that itself.
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

/** The same where several processes write: it also returns the previous revision. */
export function chainedRevisionRenewal(db: Kysely<Tables>): RenewRevision {
  // The lock comes first: otherwise `before` could be older than the write that was waited for.
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
    // When two first writes of a user coincide, the second can see the other's row only after its own insert did
    // nothing. If none of the three finds a row, there is no user left to notify.
    for (const query of [renewal, first, renewal]) {
      const { rows } = await tx.executeQuery<{ before: string }>({ ...query, parameters: [revision, user] })
      if (rows[0]) return { revision, before: rows[0].before }
    }
    return { revision }
  }
}

/** Undefined while the user has written nothing. In a write, the revision before it. */
export async function revisionOf(db: Kysely<Tables>, user: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('revisions')
    .select('revision')
    .where('user_id', '=', user)
    .executeTakeFirst()
  return row?.revision
}
