import { setImmediate as soon } from 'node:timers/promises'
import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from './database.ts'
import type { Tables } from './tables.ts'

/** Rows of many users that come due. An index leads to them by user, and then by `due`. */
export interface DueRows {
  table: 'alarms' | 'deliveries'
  due: 'due_at' | 'send_at'
  /** Which of them, in the words of the index. */
  among?: RawBuilder<SqlBool>
}

export interface DueUsers {
  /**
   * The next users who have something due by now, at most so many. None only where nobody has, or where nobody but those
   * of `except` had a moment ago.
   */
  next(now: Instant, most: number, except?: ReadonlySet<string>): Promise<string[]>
}

/** Users that one statement looks at, so that it never holds up whoever else is to be answered. */
const atOnce = 300
/** Milliseconds for which nobody else is looked for, once all users were looked at and few have something due. */
const fresh = 1_000

/**
 * Gives a turn to each user who has something due: it goes on behind whoever had the last one, and around. From user to
 * user it leaps along the index, so that it costs the same however many rows a user has.
 */
export function dueUsers(db: Database, rows: DueRows): DueUsers {
  let last = ''
  /** All who had something due a moment ago, where they were few. */
  let known: { users: readonly string[]; until: number } | undefined

  /** From behind the last one to the end, and from the beginning to the last one. */
  async function* around(now: Instant): AsyncGenerator<string> {
    const began = last
    for (const [start, end] of [[began], ['', began]] as const) {
      for (let after: string | undefined = start; after !== undefined; ) {
        const seen = await look(db, rows, now, after, end)
        for (const { user_id, is_due } of seen) if (is_due) yield user_id
        after = seen.length < atOnce ? undefined : seen.at(-1)?.user_id
        if (after !== undefined) await soon()
      }
    }
  }

  return {
    async next(now, most, except = new Set()) {
      if (known && performance.now() < known.until) {
        const still = await stillDue(db, rows, now, known.users)
        if (still.length > 0) return still.filter((user) => !except.has(user)).slice(0, most)
      }
      known = undefined
      const all: string[] = []
      const users: string[] = []
      for await (const user of around(now)) {
        all.push(user)
        if (except.has(user)) continue
        users.push(user)
        last = user
        if (users.length === most) return users
      }
      known = { users: all, until: performance.now() + fresh }
      return users
    },
  }
}

/** What `ofUser` selects, of each of some users, in one statement. Undefined where there are none. */
export function ofEachUser<Table extends keyof Tables, Row>(
  tx: Transaction<Tables>,
  users: readonly string[],
  ofUser: (user: string) => SelectQueryBuilder<Tables, Table, Row>,
) {
  // Each in brackets of its own, without which it could have no order and no limit.
  const [first, ...others] = users.map((user) => tx.selectFrom(ofUser(user).as('of_user')).selectAll())
  return first && others.reduce((all, one) => all.unionAll(one), first)
}

async function look(
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
  const { rows: seen } = await sql<{ user_id: string; is_due: 0 | 1 }>`
    with recursive seen (user_id, place) as (
      select ${next(sql`${after}`)}, 1
      union all
      select ${next(sql`seen.user_id`)}, place + 1 from seen where seen.user_id is not null and place < ${atOnce}
    )
    select
      user_id,
      case when exists (
        select 1 from ${rows} as of_user
        where of_user.user_id = seen.user_id and ${sql.ref(due)} <= ${now} ${chosen}
      ) then 1 else 0 end as is_due
    from seen
    where user_id is not null ${end === undefined ? sql`` : sql`and user_id <= ${end}`}`.execute(db.read)
  return seen
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
