import { randomUUID } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Change } from './changes.ts'
import type { Tables } from './tables.ts'

/** Gives a user a new revision, and returns it. */
export type RenewRevision = (tx: Transaction<Tables>, user: string) => Promise<Omit<Change, 'collections'>>

/**
 * Creates the function that renews revisions in a database. Its query is compiled once, because every write uses it. A revision
 * never repeats, not even after a backup is restored: a counter would then reach a number that a client remembers with other
 * rows. The renewal is a write's last statement, so that writes of the same user wait for each other as briefly as possible.
 */
export function revisionRenewal(db: Kysely<Tables>): RenewRevision {
  // Selecting from "user" inserts nothing if the user has been deleted meanwhile. The write itself then finds no rows, and has to
  // report that.
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

/** Like `revisionRenewal`, for a database that several processes write to. Also returns the previous revision. */
export function chainedRevisionRenewal(db: Kysely<Tables>): RenewRevision {
  // Lock the row first: otherwise `before` could be older than the write for which this renewal waited.
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
    // If two first writes of a user coincide, the second sees the other's row only after its own insert did nothing. If none of
    // the three queries finds a row, there is no user left to notify.
    for (const query of [renewal, first, renewal]) {
      const { rows } = await tx.executeQuery<{ before: string }>({ ...query, parameters: [revision, user] })
      if (rows[0]) return { revision, before: rows[0].before }
    }
    return { revision }
  }
}

/** The user's revision; undefined until the user's first write. Inside a write, it is the revision before the write. */
export async function revisionOf(db: Kysely<Tables>, user: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('revisions')
    .select('revision')
    .where('user_id', '=', user)
    .executeTakeFirst()
  return row?.revision
}
