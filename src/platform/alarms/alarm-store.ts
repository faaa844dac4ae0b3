import type { Transaction } from 'kysely'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { type DueUsers, dueUsers, ofEachUser } from '#platform/database/due-users.ts'
import type { AlarmKind, Tables } from '#platform/database/tables.ts'

// When a row is next to be reminded of. Whatever changes that sets the alarm anew in the same write; so that what is due
// is found by an index, whatever kind it is.

export interface Alarm {
  user_id: string
  kind: AlarmKind
  row_id: string
  due_at: Instant
  reminded_on: Day | null
  day: Day | null
}

/** The one alarm of its kind for the row, in the place of another. */
export async function setAlarm(
  tx: Transaction<Tables>,
  user: string,
  kind: AlarmKind,
  row: string,
  due: Pick<Alarm, 'due_at'> & Partial<Pick<Alarm, 'reminded_on' | 'day'>>,
): Promise<void> {
  const values = { due_at: due.due_at, reminded_on: due.reminded_on ?? null, day: due.day ?? null }
  await tx
    .insertInto('alarms')
    .values({ user_id: user, kind, row_id: row, ...values })
    .onConflict((conflict) => conflict.columns(['user_id', 'kind', 'row_id']).doUpdateSet(values))
    .execute()
}

export async function clearAlarms(
  tx: Transaction<Tables>,
  user: string,
  kinds: readonly AlarmKind[],
  row: string,
): Promise<void> {
  await tx
    .deleteFrom('alarms')
    .where('user_id', '=', user)
    .where('kind', 'in', kinds)
    .where('row_id', '=', row)
    .execute()
}

export async function removeAlarm(
  tx: Transaction<Tables>,
  { user_id, kind, row_id }: Pick<Alarm, 'user_id' | 'kind' | 'row_id'>,
): Promise<void> {
  await clearAlarms(tx, user_id, [kind], row_id)
}

/** Those of one kind of a user, by their row. */
export async function alarmsOf(
  tx: Transaction<Tables>,
  user: string,
  kind: AlarmKind,
): Promise<Map<string, Alarm>> {
  const alarms = await tx
    .selectFrom('alarms')
    .selectAll()
    .where('user_id', '=', user)
    .where('kind', '=', kind)
    .forUpdate()
    .execute()
  return new Map(alarms.map((alarm) => [alarm.row_id, alarm]))
}

/** Up to so many alarms that are due, it is looked through all of them for whose they are. */
const lookedThrough = 100

/** Whose turn it is to have alarms taken that are due. */
export function usersWithDueAlarms(db: Database): DueUsers {
  const byTurns = dueUsers(db, { table: 'alarms', due: 'due_at' })
  return {
    async next(now, most, except = new Set()) {
      const oldest = await db.read
        .selectFrom('alarms')
        .select('user_id')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(lookedThrough)
        .execute()
      if (oldest.length === lookedThrough) return byTurns.next(now, most, except)
      const users = new Set(oldest.map(({ user_id }) => user_id))
      return [...users.difference(except)].slice(0, most)
    },
  }
}

/**
 * The oldest alarms that are due of each of some users, as nobody else can take them until the write ends. What another
 * holds is passed over.
 */
export async function takeDueAlarms(
  tx: Transaction<Tables>,
  now: Instant,
  users: readonly string[],
  mostOfEach: number,
): Promise<Alarm[]> {
  const due = ofEachUser(tx, users, (user) =>
    tx
      .selectFrom('alarms')
      .selectAll()
      .where('user_id', '=', user)
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(mostOfEach)
      .forUpdate()
      .skipLocked(),
  )
  const alarms = (await due?.execute()) ?? []
  if (alarms.length === 0) return []
  // Deleting an account begins with the person and ends with the alarms: whoever waited for it would be waited for.
  const there = await tx
    .selectFrom('user')
    .select('id')
    .where('id', 'in', users)
    .forKeyShare()
    .skipLocked()
    .execute()
  const ids = new Set(there.map(({ id }) => id))
  return alarms.filter(({ user_id }) => ids.has(user_id))
}
