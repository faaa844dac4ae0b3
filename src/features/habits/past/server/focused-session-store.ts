import type { Kysely, Transaction } from 'kysely'
import type { FocusedSession } from '#features/habits/amounts/amounts.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'
import { compiledOnce, type Param } from '#platform/database/compiled-once.ts'
import type { Tables } from '#platform/database/tables.ts'
import { inBatches } from '#platform/database/work/batches.ts'
import { createYieldPoint } from '#platform/database/work/yield-point.ts'

// The focus sessions of habits, by day. Sessions count only on days whose target is in minutes, so most callers read only habits
// with a target in minutes.

/** A range of days that includes `to`; without `to`, it is open-ended. */
interface Days {
  from: Day
  to?: Day | undefined
}

export interface HabitKey {
  user_id: string
  id: string
}

/** The sessions with seconds on these days, grouped by habit; undefined if there are more than `most`. */
export async function readSessions(
  db: Kysely<Tables>,
  user: string,
  { from, to }: Days,
  most?: number,
): Promise<Map<string, FocusedSession[]> | undefined> {
  const rows = await daysOfLiveSessions(db, user)
    .where('day', '>=', from)
    .$if(to !== undefined, (query) => query.where('day', '<=', to ?? from))
    .$if(most !== undefined, (query) => query.limit((most ?? 0) + 1))
    .execute()
  if (most !== undefined && rows.length > most) return undefined
  const sessionsOf = new Map<string, FocusedSession[]>()
  for (const row of rows) {
    const { habit_id } = row
    if (habit_id === null) continue
    const ofHabit = sessionsOf.get(habit_id)
    if (ofHabit) ofHabit.push(liveSessionOf(row))
    else sessionsOf.set(habit_id, [liveSessionOf(row)])
  }
  return sessionsOf
}

/**
 * The query starts from the days, since only few are read. With an inner join, databases would walk over all sessions of the
 * habits.
 */
function daysOfLiveSessions(db: Kysely<Tables>, user: string) {
  return db
    .selectFrom('focus_days')
    .leftJoin('focus_sessions', (join) =>
      join
        .onRef('focus_sessions.user_id', '=', 'focus_days.user_id')
        .onRef('focus_sessions.id', '=', 'focus_days.session_id')
        .on('focus_sessions.deleted_at', 'is', null),
    )
    .select(['habit_id', 'session_id', 'day', 'seconds', 'subject_at', 'ended_at', 'imported_at'])
    .where('focus_days.user_id', '=', user)
}

interface DayOfSession {
  session_id: string
  day: Day
  seconds: number
  subject_at: Instant | null
  ended_at: Instant | null
  imported_at: Instant | null
}

/**
 * An imported session counts as given to the habit when it ended. Otherwise a device would let it move the start of the habit.
 */
function liveSessionOf({ session_id, day, seconds, ...row }: DayOfSession): FocusedSession {
  const { subject_at, ended_at, imported_at } = row
  const givenAt = subject_at ?? 0
  const isBrought = imported_at !== null && givenAt <= imported_at
  const at = isBrought ? Math.min(givenAt, ended_at ?? givenAt) : givenAt
  return { id: session_id, day, seconds, at, deleted: false }
}

/** The sessions of one habit on these days. */
export async function readSessionsOf(
  db: Kysely<Tables>,
  habit: HabitKey,
  { from, to = from }: Days,
): Promise<FocusedSession[]> {
  const found: FocusedSession[] = []
  for await (const sessions of pagesOfSessions(db, habit, noLimit)) {
    // Pushed one by one, since a page may have more days than a call can take arguments.
    for (const session of sessions ?? []) if (session.day >= from && session.day <= to) found.push(session)
  }
  return found
}

/** All sessions of one habit; undefined if they have more than `most` rows. */
export async function readFewSessions(
  db: Kysely<Tables>,
  habit: HabitKey,
  most: number,
): Promise<FocusedSession[] | undefined> {
  const found: FocusedSession[] = []
  for await (const sessions of pagesOfSessions(db, habit, most)) {
    if (!sessions) return undefined
    found.push(...sessions)
  }
  return found
}

/** Yields undefined and ends once there are more than `most` rows. */
async function* pagesOfSessions(
  db: Kysely<Tables>,
  { user_id, id }: HabitKey,
  most: number,
): AsyncGenerator<FocusedSession[] | undefined> {
  let left = most
  const yieldPoint = createYieldPoint()
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: SessionPage = { user: user_id, habit: id, after, limit: sessionsAtOnce }
    const ofPage: { id: string; subject_at: Instant }[] = await sessionsOfPage(db, page)
    left -= ofPage.length
    if (left < 0) return yield undefined
    // A single session may have a year of days.
    const days = ofPage.length > 0 ? await allDaysOfPage(db, { ...page, most: left + 1 }) : []
    left -= days.length
    if (left < 0) return yield undefined
    const givenAt = new Map(ofPage.map((session) => [session.id, session.subject_at]))
    yield days.flatMap(({ session_id, day, seconds }) => {
      const at = givenAt.get(session_id)
      return at === undefined ? [] : [{ id: session_id, day, seconds, at, deleted: false }]
    })
    after = ofPage.length < sessionsAtOnce ? undefined : ofPage.at(-1)?.id
    await yieldPoint()
  }
}

/** Sessions per page; reading a page takes a few milliseconds. */
export const sessionsAtOnce = 2_000

export interface SessionPage extends Record<string, unknown> {
  user: string
  habit: string
  after: string
  limit: number
}

/** More rows than any account has. */
const noLimit = 1_000_000_000

const sessionsOfPage = compiledOnce<SessionPage>()((db, param) =>
  pageOfSessions(db, param).select(['id', 'subject_at']),
)

/** All days of the sessions of a page. */
const allDaysOfPage = compiledOnce<SessionPage & { most: number }>()((db, param) =>
  db
    .selectFrom('focus_days')
    .select(['session_id', 'day', 'seconds'])
    .where('user_id', '=', param('user'))
    .where('session_id', 'in', (some) =>
      some.selectFrom(pageOfSessions(db, param).select('id').as('some')).select('some.id'),
    )
    // This order makes SQLite look up each session. Otherwise it would walk over all days of the account for each session.
    .orderBy('session_id')
    .orderBy('day')
    .limit(param('most')),
)

/** A page of a habit's sessions, ordered by id. */
export function pageOfSessions(db: Kysely<Tables>, param: Param<SessionPage>) {
  return db
    .selectFrom('focus_sessions')
    .where('user_id', '=', param('user'))
    .where('habit_id', '=', param('habit'))
    .where('deleted_at', 'is', null)
    .where('id', '>', param('after'))
    .orderBy('id')
    .limit(param('limit'))
}

/** All sessions that a set of the day may replace, including deleted ones. */
export async function readSessionsEverOn(
  tx: Transaction<Tables>,
  { user_id, id }: HabitKey,
  on: Day,
): Promise<FocusedSession[]> {
  const rows = await tx
    .selectFrom('focus_days')
    .leftJoin('focus_sessions', (join) =>
      join
        .onRef('focus_sessions.user_id', '=', 'focus_days.user_id')
        .onRef('focus_sessions.id', '=', 'focus_days.session_id'),
    )
    .select(['habit_id', 'session_id', 'day', 'seconds', 'subject_at', 'deleted_at'])
    .where('focus_days.user_id', '=', user_id)
    .where('day', '=', on)
    .execute()
  return rows.flatMap(({ habit_id, session_id, day, seconds, subject_at, deleted_at }) =>
    habit_id === id
      ? { id: session_id, day, seconds, at: subject_at ?? 0, deleted: deleted_at !== null }
      : [],
  )
}

/** Returns which of the ids are sessions that are not deleted, whatever they belong to now. */
export async function liveSessionsAmong(
  db: Kysely<Tables>,
  user: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const live = new Set<string>()
  for (const batch of inBatches(ids)) {
    const rows = await db
      .selectFrom('focus_sessions')
      .select('id')
      .where('user_id', '=', user)
      .where('id', 'in', batch)
      .where('deleted_at', 'is', null)
      .execute()
    for (const { id } of rows) live.add(id)
  }
  return live
}
