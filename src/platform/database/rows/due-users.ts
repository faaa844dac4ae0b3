import { setImmediate as soon } from 'node:timers/promises'
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '../database.ts'
import { pagesByKey } from '../pacing/keyset-pagination.ts'
import type { Tables } from '../tables.ts'

/** Rows of many users that become due. An index orders them by user, then by `due`. */
export interface DueRows {
  table: 'alarms' | 'deliveries'
  due: 'due_at' | 'send_at'
  /** A filter on the rows. If it were not worded exactly as in the index, the database would not use the index. */
  among?: RawBuilder<SqlBool>
}

export interface DueUsers {
  /**
   * The next users, at most `most`, who have something due by now. Returns no users only if nobody has something due, or if a
   * moment ago only users in `except` had.
   */
  next(now: Instant, most: number, except?: ReadonlySet<string>): Promise<string[]>
}

/** How many users one statement checks, so that it never delays other requests. */
const usersPerStatement = 300
/** Milliseconds for which a search that checked all users is relied on: only the users it found are checked again. */
const trustedFor = 1_000

/**
 * Takes turns among the users who have something due, starting after the last one served and wrapping around. It skips from user
 * to user along the index, so its cost does not depend on how many rows a user has.
 */
export function dueUsers(db: Database, rows: DueRows): DueUsers {
  let last = ''
  /** Everyone who had something due a moment ago; set only if all users were checked. */
  let recentlyDue: { users: readonly string[]; until: number } | undefined

  /**
   * The users who have something due, ordered by id and starting after the user served last. After the last id, continues with
   * the first, up to the user served last.
   */
  async function* around(now: Instant): AsyncGenerator<string> {
    const began = last
    for (const [start, end] of [[began], ['', began]] as const) {
      const read = (scanned?: { user_id: string }) => scanUsers(db, rows, now, scanned?.user_id ?? start, end)
      for await (const scanned of pagesByKey(usersPerStatement, read, soon)) {
        for (const { user_id, is_due } of scanned) if (is_due) yield user_id
      }
    }
  }

  return {
    async next(now, most, except = new Set()) {
      if (recentlyDue && performance.now() < recentlyDue.until) {
        const still = await stillDue(db, rows, now, recentlyDue.users)
        if (still.length > 0) return still.filter((user) => !except.has(user)).slice(0, most)
      }
      recentlyDue = undefined
      const all: string[] = []
      const users: string[] = []
      for await (const user of around(now)) {
        all.push(user)
        if (except.has(user)) continue
        users.push(user)
        last = user
        if (users.length === most) return users
      }
      recentlyDue = { users: all, until: performance.now() + trustedFor }
      return users
    },
  }
}

/** Runs the query that `ofUser` returns for several users in one statement. Undefined if there are no users. */
export function selectForEachUser<Table extends keyof Tables, Row>(
  tx: Transaction<Tables>,
  users: readonly string[],
  ofUser: (user: string) => SelectQueryBuilder<Tables, Table, Row>,
) {
  // Each query needs its own brackets to have an order and a limit.
  const [first, ...others] = users.map((user) => tx.selectFrom(ofUser(user).as('of_user')).selectAll())
  return first && others.reduce((all, one) => all.unionAll(one), first)
}

async function scanUsers(
  db: Database,
  { table, due, among }: DueRows,
  now: Instant,
  after: string,
  end: string | undefined,
): Promise<{ user_id: string; is_due: 0 | 1 }[]> {
  const rows = sql.table(table)
  const chosen = among ? sql`and ${among}` : sql``
  const next = (user: RawBuilder<unknown>) =>
    sql`(select user_id from ${rows} where user_id > ${user} ${chosen} order by user_id limit 1)`
  const { rows: scanned } = await sql<{ user_id: string; is_due: 0 | 1 }>`
    with recursive seen (user_id, place) as (
      select ${next(sql`${after}`)}, 1
      union all
      select ${next(sql`seen.user_id`)}, place + 1 from seen where seen.user_id is not null and place < ${usersPerStatement}
    )
    select
      user_id,
      case when exists (
        select 1 from ${rows} as of_user
        where of_user.user_id = seen.user_id and ${sql.ref(due)} <= ${now} ${chosen}
      ) then 1 else 0 end as is_due
    from seen
    where user_id is not null ${end === undefined ? sql`` : sql`and user_id <= ${end}`}`.execute(db.read)
  return scanned
}

async function stillDue(
  db: Database,
  { table, due, among }: DueRows,
  now: Instant,
  users: readonly string[],
): Promise<string[]> {
  if (users.length === 0) return []
  const chosen = among ? sql`and ${among}` : sql``
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table('user')}
    where id in (${sql.join(users)}) and exists (
      select 1 from ${sql.table(table)} as of_user
      where of_user.user_id = id and ${sql.ref(due)} <= ${now} ${chosen}
    )`.execute(db.read)
  return rows.map(({ id }) => id)
}
