import { randomUUID } from 'node:crypto'
import { type CompiledQuery, type Kysely, sql, type Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import type { Change } from './changes.ts'
import { compiledForOften } from './compiled-once.ts'
import type { Tables } from './tables.ts'

/** What is logged of a write besides its revisions: which rows it changed, as JSON, and when. */
export interface LoggedChange {
  rows: string
  changedAt: Instant
}

/** Gives a user a new revision, logs what the write changed, and returns the revision. */
export type RenewRevision = (
  tx: Transaction<Tables>,
  user: string,
  change: LoggedChange,
) => Promise<Omit<Change, 'collections'>>

/**
 * Creates the function that renews revisions in a database. Its query is compiled once, because every write uses it. A revision
 * never repeats, not even after a backup is restored: a counter would then reach a number that a client remembers with other
 * rows. The renewal is a write's last statement, so that writes of the same user wait for each other as briefly as possible.
 */
export function revisionRenewal(db: Kysely<Tables>): RenewRevision {
  // Selecting from "user" inserts nothing if the user has been deleted meanwhile. The write itself then finds no rows, and has to
  // report that.
  const renewal = sql`
    insert into revisions (user_id, revision, number) select id, ${''}, ${lastLogged} from "user" where id = ${''}
    on conflict (user_id) do update set revision = excluded.revision, number = number + 1
  `.compile(db)
  // Before the renewal, which replaces the revision before. A user's first write needs no log: nobody has read anything by then.
  const logging = sql`
    insert into row_changes (user_id, number, revision, before, changed_at, rows)
    select user_id, number + 1, ${''}, revision, ${0}, ${''} from revisions where user_id = ${''}
  `.compile(db)
  const forgetting = sql`
    delete from row_changes where user_id = ${''}
    and number <= (select number from revisions where user_id = ${''}) - ${mostLogged}
  `.compile(db)
  return async (tx, user, { rows, changedAt }) => {
    const revision = randomUUID()
    await tx.executeQuery({ ...logging, parameters: [revision, changedAt, rows, user] })
    await tx.executeQuery({ ...renewal, parameters: [revision, user] })
    await tx.executeQuery({ ...forgetting, parameters: [user, user, mostLogged] })
    return { revision }
  }
}

/** How many changes of each user are logged. A device that is further behind reads whole collections. */
export const mostLogged = 256

/** The number of a user's latest change in the log, which goes on even if the user's revision should ever be lost. */
const lastLogged = sql<number>`coalesce((select max(number) from row_changes where user_id = "user".id), 0)`

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
    insert into revisions (user_id, revision, number)
    select id, '', ${lastLogged} from "user" where id = ${''} for key share
    on conflict (user_id) do nothing
  `.compile(db)
  // Lock the row first: otherwise `before` could be older than the write for which this renewal waited. Should a known user have
  // no row any more, they get one. What is logged lacks nothing: the lock also makes `number` and `before` those of one write.
  const renewal = compiledForOften(
    sql<Renewed>`
      with renewed as (
        update revisions set revision = ${''}, number = revisions.number + 1
        from (select user_id, revision from revisions where user_id = ${''} for update) as earlier
        where revisions.user_id = earlier.user_id
        returning revisions.user_id, revisions.number, revisions.revision, earlier.revision as before
      ), logged as (
        insert into row_changes (user_id, number, revision, before, changed_at, rows)
        select user_id, number, revision, before, ${0}::bigint, ${''}::text from renewed
      ), forgotten as (
        delete from row_changes using renewed
        where row_changes.user_id = renewed.user_id and row_changes.number <= renewed.number - ${sql.lit(mostLogged)}
      ), missing as (
        insert into revisions (user_id, revision, number)
        select id, ${''}, ${lastLogged} from "user" where id = ${''} and not exists (select 1 from renewed)
        for key share
        on conflict (user_id) do update set revision = excluded.revision
        returning null::text as before
      )
      select before from renewed union all select before from missing
    `.compile(db),
  )
  const known = new Set<string>()
  return (user: string, { rows, changedAt }: LoggedChange) => {
    const revision = randomUUID()
    const beginning: CompiledQuery<Renewed> = { ...first, parameters: [user] }
    const parameters = [revision, user, changedAt, rows, revision, user]
    const renewing: CompiledQuery<Renewed> = { ...renewal, parameters }
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
