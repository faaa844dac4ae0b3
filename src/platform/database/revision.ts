import { randomUUID } from 'node:crypto'
import { type CompiledQuery, type Kysely, sql, type Transaction } from 'kysely'
import type { Change } from './changes.ts'
import { compiledForOften } from './compiled-once.ts'
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

interface Renewed {
  /** null if nobody knows it. */
  before: string | null
}

/** The most users of whom is remembered that they have a revision. */
const mostKnown = 10_000

/**
 * Like `revisionRenewal`, for a database that several processes write to: also tells the previous revision. The statements can be
 * sent together with the commit.
 */
export function chainedRevisionRenewal(db: Kysely<Tables>) {
  // If two first writes of a user coincide, one waits here for the other, and then renews the other's revision. `for key share`:
  // waits for a deletion of the user that is under way, and then inserts nothing.
  const first = sql<Renewed>`
    insert into revisions (user_id, revision) select id, '' from "user" where id = ${''} for key share
    on conflict (user_id) do nothing
  `.compile(db)
  // Lock the row first: otherwise `before` could be older than the write for which this renewal waited. Should a known user have
  // no row any more, they get one.
  const renewal = compiledForOften(
    sql<Renewed>`
      with renewed as (
        update revisions set revision = ${''}
        from (select user_id, revision from revisions where user_id = ${''} for update) as earlier
        where revisions.user_id = earlier.user_id
        returning earlier.revision as before
      ), missing as (
        insert into revisions (user_id, revision)
        select id, ${''} from "user" where id = ${''} and not exists (select 1 from renewed)
        for key share
        on conflict (user_id) do update set revision = excluded.revision
        returning null::text as before
      )
      select before from renewed union all select before from missing
    `.compile(db),
  )
  const known = new Set<string>()
  return (user: string) => {
    const revision = randomUUID()
    const beginning: CompiledQuery<Renewed> = { ...first, parameters: [user] }
    const renewing: CompiledQuery<Renewed> = { ...renewal, parameters: [revision, user, revision, user] }
    return {
      queries: known.has(user) ? [renewing] : [beginning, renewing],
      /** Call it after the commit, with the rows of the last statement. Undefined if nobody knows the previous revision. */
      changeIn([row]: readonly Renewed[]): Omit<Change, 'collections'> | undefined {
        // Without a row, there is no user left to notify.
        if (!row) return { revision }
        if (known.size >= mostKnown) known.clear()
        known.add(user)
        return row.before === null ? undefined : { revision, before: row.before }
      },
    }
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
