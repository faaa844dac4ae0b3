import { setImmediate } from 'node:timers/promises'
import type { ExpressionBuilder, Selectable, Transaction } from 'kysely'
import { type Day, daysFrom, type Instant, instantToWire } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import type { Database } from '#platform/database/database.ts'
import { deletionOf, restorationOf } from '#platform/database/deletion.ts'
import type { TooManyRows } from '#platform/database/row-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import { costOfRow, countStatement, countWalked } from '#platform/database/work.ts'
import { writeWithinLimits } from '#platform/database/write-within-limits.ts'
import type { CompletedFocus, FocusSession } from '../focus-session.ts'
import { Merging } from '../merging.ts'

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

/** What a list is ordered by. */
type Key = Pick<Row, 'id' | 'ended_at'>

/** Few enough that others hardly wait for one reading. */
const keysAtOnce = 250
const sessionsAtOnce = 100
/** Days of sessions that one statement adds up: some milliseconds' worth, where each session has to be asked too. */
const summedAtOnce = 10_000
const askedAtOnce = 2_000
/** As many deleted sessions as are put into a list. */
const fewDeleted = 1_000

/**
 * Those with seconds on some day of a range, whole, the newest first and without the deleted ones, a hundred at a time. By
 * when they ended no index leads along those of a range: first the order is found, in which they are read then.
 */
export async function* listFocusSessions(
  db: Database,
  user: string,
  range: DayRange,
): AsyncGenerator<FocusSession[]> {
  const keys = await keysInOrder(db, user, range)
  for (let next = 0; next < keys.length; next += sessionsAtOnce) {
    yield await readSessions(db, user, keys.slice(next, next + sessionsAtOnce))
  }
}

async function keysInOrder(db: Database, user: string, range: DayRange): Promise<Key[]> {
  const sorted = new Merging<Key>(isNewer)
  const known = new Set<string>()
  for (let after = { day: range.from, session_id: '' }; ; ) {
    // Those of deleted sessions too: however many there are of them, no reading is longer than another.
    const rows = await db.read
      .selectFrom('focus_days')
      .leftJoin('focus_sessions', (join) =>
        join
          .onRef('focus_sessions.user_id', '=', 'focus_days.user_id')
          .onRef('focus_sessions.id', '=', 'focus_days.session_id')
          .on('focus_sessions.deleted_at', 'is', null),
      )
      .select(['focus_days.day', 'focus_days.session_id', 'focus_sessions.ended_at'])
      .where('focus_days.user_id', '=', user)
      .where('focus_days.day', '<=', range.to)
      .where((eb) =>
        eb(
          eb.refTuple('focus_days.day', 'focus_days.session_id'),
          '>',
          eb.tuple(after.day, after.session_id),
        ),
      )
      .orderBy('focus_days.day')
      .orderBy('focus_days.session_id')
      .limit(keysAtOnce)
      .execute()
    // A session of several days is there with each.
    const fresh = rows.flatMap(({ session_id: id, ended_at }) =>
      ended_at !== null && !known.has(id) && known.add(id) ? [{ id, ended_at }] : [],
    )
    sorted.add(fresh.sort((a, b) => (isNewer(a, b) ? -1 : 1)))
    const last = rows.at(-1)
    if (!last || rows.length < keysAtOnce) return sorted.all()
    after = last
    await setImmediate()
  }
}

async function readSessions(db: Database, user: string, keys: readonly Key[]): Promise<FocusSession[]> {
  const ids = keys.map(({ id }) => id)
  // Always as many, so that there is one such statement.
  const asked = [...ids, ...Array.from({ length: sessionsAtOnce - ids.length }, () => ids[0] ?? '')]
  const rows = await db.read
    .selectFrom('focus_sessions')
    .selectAll()
    .where('user_id', '=', user)
    .where('id', 'in', asked)
    .where('deleted_at', 'is', null)
    .execute()
  // A session that reaches out of the range is shown with the days outside of it, too.
  const days = await db.read
    .selectFrom('focus_days')
    .select(['session_id', 'day', 'seconds'])
    .where('user_id', '=', user)
    .where('session_id', 'in', asked)
    // In the order of the key: by day alone, every day ever would be walked through.
    .orderBy('session_id')
    .orderBy('day')
    .execute()
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  const daysOfSession = Map.groupBy(days, ({ session_id }) => session_id)
  return ids.flatMap((id) => {
    const row = rowOf.get(id)
    return row ? [toSession(row, daysOfSession.get(id) ?? [])] : []
  })
}

function isNewer(one: Key, other: Key): boolean {
  return one.ended_at === other.ended_at ? one.id > other.id : one.ended_at > other.ended_at
}

/** On every day of a range, zeros included: the sessions whose last day it is, and the seconds of all that fell on it. */
export async function completedFocus(db: Database, user: string, range: DayRange): Promise<CompletedFocus> {
  const counted = await db.read
    .selectFrom('focus_sessions')
    .select(({ fn }) => ['ended_on', fn.countAll<number>().as('count')])
    .where('user_id', '=', user)
    .where('ended_on', '>=', range.from)
    .where('ended_on', '<=', range.to)
    .where('deleted_at', 'is', null)
    .groupBy('ended_on')
    .execute()
  const countOf = new Map(counted.map(({ ended_on, count }) => [ended_on, count]))
  const secondsOf = await secondsByDay(db, user, range)
  const days = daysFrom(range.from, range.to).map((day) => ({
    day,
    count: countOf.get(day) ?? 0,
    seconds: secondsOf.get(day) ?? 0,
  }))
  const count = days.reduce((sum, each) => sum + each.count, 0)
  countWalked(count)
  return { count, seconds: days.reduce((sum, { seconds }) => sum + seconds, 0), days }
}

/**
 * Some at a time, and others are answered in between. What is changed between two of them gives the user another revision,
 * so that what was answered is asked for again.
 */
async function secondsByDay(db: Database, user: string, { from, to }: DayRange): Promise<Map<Day, number>> {
  const manyDeleted = await haveMany(db, user)
  const atOnce = manyDeleted ? askedAtOnce : summedAtOnce
  const secondsOf = new Map<Day, number>()
  for (let after = { day: from, session_id: '' }; ; ) {
    const following = db.read
      .selectFrom('focus_days')
      .where('user_id', '=', user)
      .where((eb) => eb(eb.refTuple('day', 'session_id'), '>', eb.tuple(after.day, after.session_id)))
    const end = await following
      .select(['day', 'session_id'])
      .where('day', '<=', to)
      .orderBy('day')
      .orderBy('session_id')
      .limit(1)
      .offset(atOnce - 1)
      .executeTakeFirst()
    const summed = await following
      .select(({ fn }) => [
        'day',
        fn.sum<number>('seconds').as('seconds'),
        fn.countAll<number>().as('sessions'),
      ])
      // One or the other: of two, SQLite takes the looser one to be the end of what it walks along.
      .where((eb) =>
        end
          ? eb(eb.refTuple('day', 'session_id'), '<=', eb.tuple(end.day, end.session_id))
          : eb('day', '<=', to),
      )
      .where(manyDeleted ? isOfLive(user) : isOfNoneDeleted(user))
      .groupBy('day')
      .execute()
    for (const { day, seconds } of summed) secondsOf.set(day, (secondsOf.get(day) ?? 0) + seconds)
    if (manyDeleted) countStatement(atOnce, costOfRow('select'))
    else countWalked(end ? atOnce : summed.reduce((sum, { sessions }) => sum + sessions, 0))
    if (!end) return secondsOf
    after = end
    await setImmediate()
  }
}

/** Whether so many sessions were deleted that a list of them, made for each statement, would cost more than the rest. */
async function haveMany(db: Database, user: string): Promise<boolean> {
  const oneMore = await db.read
    .selectFrom('focus_sessions')
    .select('id')
    .where('user_id', '=', user)
    .where('deleted_at', 'is not', null)
    .limit(1)
    .offset(fewDeleted)
    .executeTakeFirst()
  return oneMore !== undefined
}

/** Of the deleted ones there are nearly always few: they are purged. To ask each session of years takes far longer. */
function isOfNoneDeleted(user: string) {
  return ({ eb, selectFrom }: ExpressionBuilder<Tables, 'focus_days'>) =>
    eb(
      'session_id',
      'not in',
      selectFrom('focus_sessions')
        .select('id')
        .where('user_id', '=', user)
        .where('deleted_at', 'is not', null),
    )
}

function isOfLive(user: string) {
  return ({ exists, selectFrom }: ExpressionBuilder<Tables, 'focus_days'>) =>
    exists(
      selectFrom('focus_sessions')
        .select('focus_sessions.id')
        .where('focus_sessions.user_id', '=', user)
        .whereRef('focus_sessions.id', '=', 'focus_days.session_id')
        .where('focus_sessions.deleted_at', 'is', null),
    )
}

/** Adding an id again changes nothing and answers what is stored, or 'deleted' when it was deleted since. */
export async function addFocusSession(
  db: Database,
  user: string,
  id: string,
  { duration, startedAt, endedAt, days, at }: Addition,
): Promise<{ session: FocusSession; created: boolean } | 'deleted' | TooManyRows> {
  const lastDay = days.at(-1)?.day
  if (lastDay === undefined) throw new Error('A focus session needs a day')
  return writeWithinLimits(db, user, ['focus'], async (tx, adding) => {
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
      adding.rows('focus_sessions', 1)
      adding.rows('focus_days', rows.length)
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
