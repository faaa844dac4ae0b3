import type { Selectable, Transaction } from 'kysely'
import { daysFrom, type Instant, instantToWire } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import type { Database } from '#platform/database/database.ts'
import { deletionOf, restorationOf } from '#platform/database/deletion.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { CompletedFocus, FocusSession } from '../focus-session.ts'

// A session is never changed, so that being deleted is all that several devices can have to agree on.

type Row = Selectable<Tables['focus_sessions']>
type Days = FocusSession['days']

/** The seconds of `days`, which are in order, add up to `duration`. */
interface Addition {
  duration: number
  startedAt: Instant
  endedAt: Instant
  days: Days
  at: Instant
}

/** Those with seconds on some day of a range, whole, the newest first and without the deleted ones. */
export async function listFocusSessions(
  db: Database,
  user: string,
  { from, to }: DayRange,
): Promise<FocusSession[]> {
  return db.snapshot(async (tx) => {
    const inRange = tx
      .selectFrom('focus_days')
      .select('session_id')
      .where('user_id', '=', user)
      .where('day', '>=', from)
      .where('day', '<=', to)
    const rows = await tx
      .selectFrom('focus_sessions')
      .selectAll()
      .where('user_id', '=', user)
      .where('id', 'in', inRange)
      .where('deleted_at', 'is', null)
      .orderBy('ended_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    // A session that reaches out of the range is shown with the days outside of it, too.
    const days = await tx
      .selectFrom('focus_days')
      .select(['session_id', 'day', 'seconds'])
      .where('user_id', '=', user)
      .where('session_id', 'in', inRange)
      // In the order of the key: by day alone, every day ever would be walked through.
      .orderBy('session_id')
      .orderBy('day')
      .execute()
    const daysOfSession = Map.groupBy(days, ({ session_id }) => session_id)
    return rows.map((row) => toSession(row, daysOfSession.get(row.id) ?? []))
  })
}

/** On every day of a range, zeros included: the sessions whose last day it is, and the seconds of all that fell on it. */
export async function completedFocus(
  db: Database,
  user: string,
  { from, to }: DayRange,
): Promise<CompletedFocus> {
  return db.snapshot(async (tx) => {
    const counted = await tx
      .selectFrom('focus_sessions')
      .select(({ fn }) => ['ended_on', fn.countAll<number>().as('count')])
      .where('user_id', '=', user)
      .where('ended_on', '>=', from)
      .where('ended_on', '<=', to)
      .where('deleted_at', 'is', null)
      .groupBy('ended_on')
      .execute()
    const summed = await tx
      .selectFrom('focus_days')
      .select(({ fn }) => ['day', fn.sum<number>('seconds').as('seconds')])
      .where('user_id', '=', user)
      .where('day', '>=', from)
      .where('day', '<=', to)
      // Of the deleted ones there are few: they are purged. To ask each session of years takes far longer.
      .where('session_id', 'not in', (sessions) =>
        sessions
          .selectFrom('focus_sessions')
          .select('id')
          .where('user_id', '=', user)
          .where('deleted_at', 'is not', null),
      )
      .groupBy('day')
      .execute()
    const countOf = new Map(counted.map(({ ended_on, count }) => [ended_on, count]))
    const secondsOf = new Map(summed.map(({ day, seconds }) => [day, seconds]))
    const days = daysFrom(from, to).map((day) => ({
      day,
      count: countOf.get(day) ?? 0,
      seconds: secondsOf.get(day) ?? 0,
    }))
    return {
      count: days.reduce((sum, { count }) => sum + count, 0),
      seconds: days.reduce((sum, { seconds }) => sum + seconds, 0),
      days,
    }
  })
}

/** Adding an id again changes nothing and answers what is stored, or 'deleted' when it was deleted since. */
export async function addFocusSession(
  db: Database,
  user: string,
  id: string,
  { duration, startedAt, endedAt, days, at }: Addition,
): Promise<{ session: FocusSession; created: boolean } | 'deleted'> {
  const lastDay = days.at(-1)?.day
  if (lastDay === undefined) throw new Error('A focus session needs a day')
  return db.writeFor(user, ['focus'], async (tx) => {
    const added = await tx
      .insertInto('focus_sessions')
      .values({
        user_id: user,
        id,
        duration,
        started_at: startedAt,
        ended_at: endedAt,
        ended_on: lastDay,
        created_at: at,
        updated_at: at,
        deleted_at: null,
        deletion_changed_at: at,
      })
      .onConflict((conflict) => conflict.columns(['user_id', 'id']).doNothing())
      .returningAll()
      .executeTakeFirst()
    if (added) {
      const rows = days.map(({ day, seconds }) => ({ user_id: user, session_id: id, day, seconds }))
      await tx.insertInto('focus_days').values(rows).execute()
      return { session: toSession(added, days), created: true }
    }
    const stored = await lockRow(tx, user, id)
    if (!stored || stored.deleted_at !== null) return 'deleted'
    return { session: await readSession(tx, stored), created: false }
  })
}

/** False when it is not there or already deleted. A deletion older than a restoration is let go, and answered with true. */
export async function deleteFocusSession(
  db: Database,
  user: string,
  id: string,
  at: Instant,
): Promise<boolean> {
  return db.writeFor(user, ['focus'], async (tx) => {
    const row = await lockRow(tx, user, id)
    if (row) await updateRow(tx, row, deletionOf(row, at), at)
    return row?.deleted_at === null
  })
}

/** Answers the session, or undefined when it is not there or was deleted later than `at`. */
export async function restoreFocusSession(
  db: Database,
  user: string,
  id: string,
  at: Instant,
): Promise<FocusSession | undefined> {
  return db.writeFor(user, ['focus'], async (tx) => {
    const row = await lockRow(tx, user, id)
    if (!row) return undefined
    const restored = await updateRow(tx, row, restorationOf(row, at), at)
    return restored.deleted_at === null ? readSession(tx, restored) : undefined
  })
}

/** Forgets what anyone deleted before an instant, and answers how many sessions that were. */
export async function purgeDeletedFocusSessions(db: Database, before: Instant): Promise<number> {
  const purged = await db.write((tx) =>
    tx.deleteFrom('focus_sessions').where('deleted_at', '<', before).executeTakeFirst(),
  )
  return Number(purged.numDeletedRows)
}

/** The row as nobody else can change it until the write ends. */
async function lockRow(tx: Transaction<Tables>, user: string, id: string): Promise<Row | undefined> {
  return tx
    .selectFrom('focus_sessions')
    .selectAll()
    .where('user_id', '=', user)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

async function updateRow(
  tx: Transaction<Tables>,
  row: Row,
  changed: Partial<Row>,
  at: Instant,
): Promise<Row> {
  if (Object.keys(changed).length === 0) return row
  const values = { ...changed, updated_at: Math.max(row.updated_at, at) }
  await tx
    .updateTable('focus_sessions')
    .set(values)
    .where('user_id', '=', row.user_id)
    .where('id', '=', row.id)
    .execute()
  return { ...row, ...values }
}

async function readSession(tx: Transaction<Tables>, row: Row): Promise<FocusSession> {
  const days = await tx
    .selectFrom('focus_days')
    .select(['day', 'seconds'])
    .where('user_id', '=', row.user_id)
    .where('session_id', '=', row.id)
    .orderBy('day')
    .execute()
  return toSession(row, days)
}

function toSession(row: Row, days: Days): FocusSession {
  return {
    id: row.id,
    duration: row.duration,
    started_at: instantToWire(row.started_at),
    ended_at: instantToWire(row.ended_at),
    days: days.map(({ day, seconds }) => ({ day, seconds })),
  }
}
