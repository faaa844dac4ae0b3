import type { ExpressionBuilder, Kysely, Transaction } from 'kysely'
import { type Day, daysFrom, type Instant, instantToWire } from '#platform/calendar/day.ts'
import type { DayRange } from '#platform/calendar/range.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import type { Database } from '#platform/database/database.ts'
import { pagesByKey, stretchesByKey } from '#platform/database/pacing/keyset-pagination.ts'
import { betweenStretches, costOfRow, countStatement, countWalked } from '#platform/database/pacing/work.ts'
import { TooManyRows } from '#platform/database/row-limits.ts'
import type { ChangeStamp } from '#platform/database/rows/deletion.ts'
import { changedSince } from '#platform/database/rows/later-changes.ts'
import { type Adding, writeWithinLimits } from '#platform/database/rows/write-within-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { CompletedFocus, FocusSession } from '../focus-session.ts'
import { IncrementalMergeSort } from '../incremental-merge-sort.ts'
import { focusDayLimit, focusRows } from './focus-rows.ts'
import { type SessionsChanged, tellHabits } from './session-habit-store.ts'

// The time of a session and its subject merge separately, each by the instant of its last change. The seconds per day belong to
// the time.

type Row = Tables['focus_sessions']
type Days = FocusSession['days']

/** The time of a session. `days` are in order, and their seconds add up to `duration`, in seconds. */
export interface SessionTime {
  duration: number
  /** Null for the total of a day, which has no start. */
  startedAt: Instant | null
  endedAt: Instant
  days: Days
}

interface Addition extends SessionTime, Partial<Pick<FocusSession, 'kind' | 'todo_id' | 'habit_id'>> {
  /**
   * Whether a request with the instant of a later press replaces the session stored under its id. True for the timer, which may
   * go on after it was recorded.
   */
  replaces?: boolean
  at: Instant
}

/** The columns by which sessions are ordered. */
type Key = Pick<Row, 'id' | 'ended_at'>

/** Keys and sessions per read: few enough that other requests hardly wait. */
const keysAtOnce = 250
const sessionsAtOnce = 100
/** Rows that one statement sums, a few milliseconds of work. Statements that also check each session use `checkedAtOnce`. */
const summedAtOnce = 10_000
const checkedAtOnce = 2_000
/** The most deleted sessions that a statement excludes by listing their ids. */
const fewDeleted = 1_000

/**
 * Yields the sessions with seconds on any day of the range, newest first, a hundred at a time. Sessions include their days
 * outside the range; deleted ones are left out. No index orders the sessions of a range by their end, so this sorts the keys
 * first and then reads the sessions in that order.
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

type DayKey = Pick<Tables['focus_days'], 'day' | 'session_id'>

async function keysInOrder(db: Database, user: string, range: DayRange): Promise<Key[]> {
  const sorted = new IncrementalMergeSort<Key>(isNewer)
  const known = new Set<string>()
  // Also reads the rows of deleted sessions, so that every read takes equally long, however many sessions are deleted.
  const read = (last?: DayKey) =>
    db.read
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
          eb.tuple(last?.day ?? range.from, last?.session_id ?? ''),
        ),
      )
      .orderBy('focus_days.day')
      .orderBy('focus_days.session_id')
      .limit(keysAtOnce)
      .execute()
  for await (const rows of pagesByKey(keysAtOnce, read, betweenStretches)) {
    // A session of several days has a row for each day.
    const fresh = rows.flatMap(({ session_id: id, ended_at }) =>
      ended_at !== null && !known.has(id) && known.add(id) ? [{ id, ended_at }] : [],
    )
    sorted.add(fresh.sort((a, b) => (isNewer(a, b) ? -1 : 1)))
  }
  return sorted.all()
}

async function readSessions(db: Database, user: string, keys: readonly Key[]): Promise<FocusSession[]> {
  const ids = keys.map(({ id }) => id)
  // Always pass the same number of ids, so that the database prepares only one statement.
  const paddedIds = [...ids, ...Array.from({ length: sessionsAtOnce - ids.length }, () => ids[0] ?? '')]
  const rows = await db.read
    .selectFrom('focus_sessions')
    .selectAll()
    .where('user_id', '=', user)
    .where('id', 'in', paddedIds)
    .where('deleted_at', 'is', null)
    .execute()
  // A session that extends beyond the range is returned with all of its days.
  const days = await db.read
    .selectFrom('focus_days')
    .select(['session_id', 'day', 'seconds'])
    .where('user_id', '=', user)
    .where('session_id', 'in', paddedIds)
    // Order by the key: ordered by day alone, the query would walk through all days ever.
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

/** For every day of the range, including days without focus: how many sessions count on it, and its focused seconds. */
export async function completedFocus(db: Database, user: string, range: DayRange): Promise<CompletedFocus> {
  const counted = await db.read
    .selectFrom('focus_sessions')
    .select(({ fn }) => ['ended_on', fn.countAll<number>().as('count')])
    .where('user_id', '=', user)
    .where('ended_on', '>=', range.from)
    .where('ended_on', '<=', range.to)
    .where('deleted_at', 'is', null)
    .where('kind', '!=', 'total')
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
 * Sums the seconds of each day in batches and lets other requests run in between. If a session changes between two batches, the
 * user gets a new revision, so the client requests the sums again.
 */
async function secondsByDay(db: Database, user: string, { from, to }: DayRange): Promise<Map<Day, number>> {
  const manyDeleted = await hasManyDeleted(db, user)
  const atOnce = manyDeleted ? checkedAtOnce : summedAtOnce
  const secondsOf = new Map<Day, number>()
  const following = ({ day, session_id }: DayKey = { day: from, session_id: '' }) =>
    db.read
      .selectFrom('focus_days')
      .where('user_id', '=', user)
      .where((eb) => eb(eb.refTuple('day', 'session_id'), '>', eb.tuple(day, session_id)))
  const endAfter = (after?: DayKey) =>
    following(after)
      .select(['day', 'session_id'])
      .where('day', '<=', to)
      .orderBy('day')
      .orderBy('session_id')
      .limit(1)
      .offset(atOnce - 1)
      .executeTakeFirst()
  for await (const { after, end } of stretchesByKey(endAfter, betweenStretches)) {
    const summed = await following(after)
      .select(({ fn }) => [
        'day',
        fn.sum<number>('seconds').as('seconds'),
        fn.countAll<number>().as('sessions'),
      ])
      // Use only one of the two limits: given both, SQLite walks up to the looser one.
      .where((eb) =>
        end
          ? eb(eb.refTuple('day', 'session_id'), '<=', eb.tuple(end.day, end.session_id))
          : eb('day', '<=', to),
      )
      .where(manyDeleted ? isOfLiveSession(user) : isNotOfDeleted(user))
      .groupBy('day')
      .execute()
    for (const { day, seconds } of summed) secondsOf.set(day, (secondsOf.get(day) ?? 0) + seconds)
    if (manyDeleted) countStatement(atOnce, costOfRow('select'))
    else countWalked(end ? atOnce : summed.reduce((sum, { sessions }) => sum + sessions, 0))
  }
  return secondsOf
}

/** Whether the user has so many deleted sessions that listing them in each statement would cost more than the rest. */
async function hasManyDeleted(db: Database, user: string): Promise<boolean> {
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

/**
 * Leaves out deleted sessions by listing them. Nearly always the list is short, because deleted sessions are purged. Checking
 * each session of many years instead would take far longer.
 */
function isNotOfDeleted(user: string) {
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

function isOfLiveSession(user: string) {
  return ({ exists, selectFrom }: ExpressionBuilder<Tables, 'focus_days'>) =>
    exists(
      selectFrom('focus_sessions')
        .select('focus_sessions.id')
        .where('focus_sessions.user_id', '=', user)
        .whereRef('focus_sessions.id', '=', 'focus_days.session_id')
        .where('focus_sessions.deleted_at', 'is', null),
    )
}

/**
 * Adds a session. If the id already exists, returns the stored session, or 'deleted' if it has been deleted since. With
 * `replaces`, the request with the later press replaces the stored session, in whichever order the requests arrive.
 */
export async function addFocusSession(
  db: Database,
  user: string,
  id: string,
  { kind = 'countdown', todo_id = null, habit_id = null, replaces = false, at, ...time }: Addition,
  sessionsChanged: SessionsChanged,
): Promise<{ session: FocusSession; created: boolean } | 'deleted' | TooManyRows> {
  const fields = { todo_id, habit_id, ...timeFields(time) }
  return writeWithinLimits(db, user, focusRows.collections, async (tx, adding) => {
    const added = await focusRows.add(tx, adding, user, id, { kind, ...fields }, at)
    if (added !== 'deleted' && added.created) {
      await insertDays(tx, user, id, time.days)
      adding.rows(focusDayLimit, time.days.length)
      const session = toSession(added.row, time.days)
      await tellHabits(tx, user, [session], sessionsChanged)
      return { session, created: true }
    }
    const row = added === 'deleted' ? await focusRows.lock(tx, user, id) : added.row
    if (!row) return 'deleted'
    if (replaces) changedSince(row.time_at, at)
    if (!replaces || at <= row.time_at) return row.deleted_at === null ? stored(tx, row) : 'deleted'
    const changed = focusRows.changes(row, fields, { at, revives: true })
    if (!changed) return 'deleted'
    const was = await readSession(tx, row)
    const updated = await focusRows.update(tx, row, { ...changed, kind, knows_phases: 1 }, at)
    await replaceDays(tx, adding, updated, time.days)
    const session = await readSession(tx, updated)
    await tellHabits(tx, user, [was, session], sessionsChanged)
    return updated.deleted_at === null ? { session, created: false } : 'deleted'
  })
}

/** Returns the session after the change, or undefined if it does not exist or was deleted later than the change. */
export async function changeFocusSession(
  db: Database,
  user: string,
  id: string,
  {
    at,
    revives,
    time,
    ...subject
  }: Partial<Pick<FocusSession, 'todo_id' | 'habit_id'>> & ChangeStamp & { time?: SessionTime | undefined },
  sessionsChanged: SessionsChanged,
): Promise<FocusSession | TooManyRows | undefined> {
  return writeWithinLimits(db, user, focusRows.collections, async (tx, adding) => {
    const row = await focusRows.lock(tx, user, id)
    const edit = { ...subject, ...(time && timeFields(time)) }
    const changed = row && focusRows.changes(row, edit, { at, revives })
    if (!changed) return undefined
    const was = await readSession(tx, row)
    const updated = await focusRows.update(tx, row, changed, at)
    if (time && at >= row.time_at) await replaceDays(tx, adding, updated, time.days)
    const session = await readSession(tx, updated)
    await tellHabits(tx, user, [was, session], sessionsChanged)
    return updated.deleted_at === null ? session : undefined
  })
}

/**
 * Also finds a deleted session, as a change may come from a device that does not know of the deletion. Undefined if no session
 * has this id.
 */
export async function findFocusSession(
  db: Database,
  user: string,
  id: string,
): Promise<FocusSession | undefined> {
  const row = await db.read
    .selectFrom('focus_sessions')
    .selectAll()
    .where('user_id', '=', user)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && readSession(db.read, row)
}

function timeFields({ duration, startedAt, endedAt, days }: SessionTime) {
  const ended_on = days.at(-1)?.day
  if (ended_on === undefined) throw new Error('A focus session needs a day')
  return {
    duration,
    started_at: startedAt === null ? null : instantToWire(startedAt),
    ended_at: instantToWire(endedAt),
    ended_on,
  }
}

async function stored(tx: Transaction<Tables>, row: Row): Promise<{ session: FocusSession; created: false }> {
  return { session: await readSession(tx, row), created: false }
}

async function insertDays(tx: Transaction<Tables>, user: string, session: string, days: Days): Promise<void> {
  const rows = days.map(({ day, seconds }) => ({ user_id: user, session_id: session, day, seconds }))
  await tx.insertInto('focus_days').values(rows).execute()
  await refuseFullDays(
    tx,
    user,
    days.map(({ day }) => day),
  )
}

async function replaceDays(
  tx: Transaction<Tables>,
  adding: Adding,
  { user_id, id }: Row,
  days: Days,
): Promise<void> {
  const before = await tx
    .deleteFrom('focus_days')
    .where('user_id', '=', user_id)
    .where('session_id', '=', id)
    .executeTakeFirstOrThrow()
  await insertDays(tx, user_id, id, days)
  adding.rows(focusDayLimit, Math.max(0, days.length - Number(before.numDeletedRows)))
}

/**
 * Returns false if there is no such session or it is already deleted. Ignores a deletion that is older than a restoration, but
 * returns true.
 */
export function deleteFocusSession(
  db: Database,
  user: string,
  id: string,
  at: Instant,
  sessionsChanged: SessionsChanged,
): Promise<boolean> {
  return focusRows.remove(db, user, id, at, { after: tellingHabits(sessionsChanged) })
}

/** Returns the session, or undefined if it does not exist or was deleted later than `at`. */
export async function restoreFocusSession(
  db: Database,
  user: string,
  id: string,
  at: Instant,
  sessionsChanged: SessionsChanged,
): Promise<FocusSession | undefined> {
  const row = await focusRows.restore(db, user, id, at, { after: tellingHabits(sessionsChanged) })
  return row && readSession(db.read, row)
}

/** Reports a deletion or restoration to the habit of the session, as the session no longer counts there, or counts again. */
function tellingHabits(sessionsChanged: SessionsChanged) {
  return async (tx: Transaction<Tables>, is: Row, was: Row) => {
    if (is.habit_id === null || is.deleted_at === was.deleted_at) return
    await tellHabits(tx, is.user_id, [await readSession(tx, is)], sessionsChanged)
  }
}

async function readSession(tx: Kysely<Tables>, row: Row): Promise<FocusSession> {
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
    ...focusRows.toWire(row),
    days: days.map(({ day, seconds }) => ({ day, seconds })),
  }
}

/** The most sessions with time on one day, including deleted ones. Bounds the cost of reading a few days. */
const mostOnOneDay = 300

/** Throws TooManyRows if one of these days is over the limit. Call this after the rows with these days were added. */
export async function refuseFullDays(
  tx: Transaction<Tables>,
  user: string,
  days: Iterable<Day>,
): Promise<void> {
  for (const day of new Set(days)) {
    const [beyond] = await sessionBeyond(tx, { user, day, most: mostOnOneDay })
    if (!beyond) continue
    throw new TooManyRows(
      `A day can have up to ${mostOnOneDay} focus sessions, those of the last 30 days that were deleted included.`,
    )
  }
}

const sessionBeyond = compiledOnce<{ user: string; day: Day; most: number }>()((db, param) =>
  db
    .selectFrom('focus_days')
    .select('day')
    .where('user_id', '=', param('user'))
    .where('day', '=', param('day'))
    .limit(1)
    .offset(param('most')),
)
