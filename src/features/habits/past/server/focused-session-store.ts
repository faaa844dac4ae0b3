import { type Kysely, sql, type Transaction } from 'kysely'
import type { FocusedSession } from '#features/habits/amounts/amounts.ts'
import { hasMinutes, isInMinutes, isMinutesDay } from '#features/habits/amounts/minutes.ts'
import { readSettles } from '#features/habits/amounts/server/entry-store.ts'
import { type RhythmRow, spansOf } from '#features/habits/rhythm/rhythm.ts'
import { type Day, dayNumber, type Instant } from '#platform/calendar/day.ts'
import { compiledOnce, type Param } from '#platform/database/compiled-once.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { countWalked } from '#platform/database/pacing/work.ts'
import { createYieldPoint } from '#platform/database/pacing/yield-point.ts'
import type { Tables } from '#platform/database/tables.ts'

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
const sessionsAtOnce = 2_000

interface SessionPage extends Record<string, unknown> {
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
function pageOfSessions(db: Kysely<Tables>, param: Param<SessionPage>) {
  return db
    .selectFrom('focus_sessions')
    .where('user_id', '=', param('user'))
    .where('habit_id', '=', param('habit'))
    .where('deleted_at', 'is', null)
    .where('id', '>', param('after'))
    .orderBy('id')
    .limit(param('limit'))
}

// The earliest day to which focus sessions move the start of a habit. This day is not stored, because a session moves the start
// only while the session exists.

/**
 * The first day before the chosen start on which a session counts, for each of these habits; missing if there is none. A session
 * counts if it was given to the habit after the start was chosen. Sessions from the import that made the habit don't count.
 */
export async function readFirstFocused(
  tx: Transaction<Tables>,
  user: string,
  rowsOf: ReadonlyMap<string, readonly RhythmRow[]>,
): Promise<Map<string, Day>> {
  const first = new Map<string, Day>()
  const yieldPoint = createYieldPoint()
  for (const [id, rows] of rowsOf) {
    if (!hasMinutes(rows)) continue
    const walk = { habit: { user_id: user, id }, within: await startOf(tx, user, id), yieldPoint }
    const day = await firstThatCounts(tx, walk, await focusedDays(tx, walk, rows))
    if (day !== undefined) first.set(id, day)
  }
  return first
}

/** For each of these habits, the first day since the habit's start with a focus session; missing if there is none. */
export async function readFirstFocusedSinceStart(
  tx: Transaction<Tables>,
  user: string,
  habits: readonly { id: string; rows: readonly RhythmRow[]; startDay: Day }[],
): Promise<Map<string, Day>> {
  const first = new Map<string, Day>()
  const yieldPoint = createYieldPoint()
  for (const { id, rows, startDay } of habits) {
    if (!hasMinutes(rows)) continue
    const isAlwaysMinutes = spansOf(rows).every(({ target }) => isInMinutes(target))
    const within = { ...whenever, from: startDay, before: afterAll }
    const walk = { habit: { user_id: user, id }, within, yieldPoint }
    const [day] = await focusedDays(tx, walk, rows, isAlwaysMinutes ? firstOfPage : daysOfPage)
    if (day !== undefined) first.set(id, day)
  }
  return first
}

/** Reads the sessions of a habit page by page. Other requests are served between pages and between habits. */
interface Walk {
  habit: HabitKey
  within: Within
  yieldPoint: () => Promise<void>
}

function pageAfter({ habit, within }: Walk, after: string): PageWithin {
  return { user: habit.user_id, habit: habit.id, after, limit: sessionsAtOnce, ...within }
}

/** The days with sessions of the habit on which the target is in minutes, in order. */
async function focusedDays(
  tx: Transaction<Tables>,
  walk: Walk,
  rows: readonly RhythmRow[],
  readPage: typeof daysOfPage = daysOfPage,
): Promise<Day[]> {
  const days = new Set<Day>()
  const spans = spansOf(rows)
  for (let after: string | undefined = ''; after !== undefined; ) {
    await walk.yieldPoint()
    const read: DayOfPage[] = await readPage(tx, pageAfter(walk, after))
    after = read
      .map(({ last }) => last)
      .filter((last) => last !== null)
      .toSorted()
      .at(-1)
    for (const { day, walked } of read) {
      countWalked(walked)
      // On other days, the target was in another unit, so sessions don't count.
      if (day !== null && isMinutesDay(spans, dayNumber(day))) days.add(day)
    }
  }
  return [...days].toSorted()
}

/** The first of the days with a session that the latest set of the day does not name. Every one of the days has a session. */
async function firstThatCounts(
  tx: Transaction<Tables>,
  walk: Walk,
  days: readonly Day[],
): Promise<Day | undefined> {
  const { habit, yieldPoint } = walk
  let sessionsOn: ReadonlyMap<Day, readonly string[]> | undefined
  for (const some of inBatches(days, fewDays)) {
    await yieldPoint()
    const sets = await tx
      .selectFrom('amounts')
      .select(['habit_id', 'id', 'day', 'value', 'is_set', 'created_at'])
      .where('user_id', '=', habit.user_id)
      .where('habit_id', '=', habit.id)
      .where('day', 'in', some)
      .where('is_set', '=', 1)
      .where('deleted_at', 'is', null)
      .execute()
    const setsOn = Map.groupBy(sets, dayOf)
    const [first] = some
    if (first !== undefined && !setsOn.has(first)) return first
    const settles = await readSettles(tx, habit.user_id, sets)
    // Read once for all days, since the index cannot find the sessions of one habit on one day.
    sessionsOn ??= await sessionsOnDays(tx, walk, new Set(days))
    for (const day of some) {
      const named = new Set(setsOn.get(day)?.flatMap(({ id }) => settles.get(id) ?? []))
      if (sessionsOn.get(day)?.some((id) => !named.has(id))) return day
    }
  }
  return undefined
}

/** Days whose sets are read at once: few, since a day may have hundreds of sets. */
const fewDays = 10

/**
 * The ids of the sessions on each day, even of sessions that were given to the habit before its start was chosen: any session
 * that counts makes the day count.
 */
async function sessionsOnDays(
  tx: Transaction<Tables>,
  walk: Walk,
  days: ReadonlySet<Day>,
): Promise<ReadonlyMap<Day, readonly string[]>> {
  const sessionsOn = new Map<Day, string[]>()
  const ofAny = { ...walk, within: { ...walk.within, ...whenever } }
  for (let after: string | undefined = ''; after !== undefined; ) {
    await walk.yieldPoint()
    const page = pageAfter(ofAny, after)
    for (const { id, day } of await sessionDaysOfPage(tx, page)) {
      if (day === null || !days.has(day)) continue
      const ofDay = sessionsOn.get(day)
      if (ofDay) ofDay.push(id)
      else sessionsOn.set(day, [id])
    }
    const [last]: { id: string }[] = await lastOfPage(tx, page)
    if (last) countWalked(2 * sessionsAtOnce)
    after = last?.id
  }
  return sessionsOn
}

function dayOf({ day }: { day: Day }): Day {
  return day
}

/** The habit's chosen start, when it was chosen, and the import that made the habit, if any. */
async function startOf(tx: Transaction<Tables>, user: string, id: string): Promise<Within> {
  const [habit] = await startOfHabit(tx, { user, id })
  const { start_at: since = 0, made_by_import, start_day: before = afterAll } = habit ?? {}
  return { since, madeBy: made_by_import ?? '', from: firstOfAll, before }
}

const startOfHabit = compiledOnce<{ user: string; id: string }>()((db, param) =>
  db
    .selectFrom('habits')
    .select(['start_day', 'start_at', 'made_by_import'])
    .where('user_id', '=', param('user'))
    .where('id', '=', param('id')),
)

/** Matches sessions whenever and however they were given to the habit. */
const whenever = { since: -1, madeBy: '' }

/** Before and after every other day. */
const [firstOfAll, afterAll] = ['0001-01-01' as Day, '9999-12-31' as Day]

/** Which sessions are read, and which of their days. */
interface Within {
  /** Reads only sessions that were given to the habit at this instant or later. */
  since: Instant
  /** The import that made the habit, or an empty text; its sessions are left out. */
  madeBy: string
  from: Day
  /** The first day that is no longer read. */
  before: Day
}

type PageWithin = SessionPage & Within

interface DayOfPage {
  day: Day | null
  last: string | null
  walked: number
}

/** The first day of the sessions of a page, and the last id of the page. */
const firstOfPage = compiledOnce<PageWithin>()((db, param) =>
  daysOfSessions(db, param).select(({ fn }) => [
    fn.min<Day | null>('focus_days.day').as('day'),
    fn.max<string | null>('some.id').as('last'),
    fn.countAll<number>().as('walked'),
  ]),
)

/** Each day of the sessions of a page, and the last session id of the day in the page. */
const daysOfPage = compiledOnce<PageWithin>()((db, param) =>
  daysOfSessions(db, param)
    .select(({ fn }) => [
      'focus_days.day',
      fn.max<string | null>('some.id').as('last'),
      fn.countAll<number>().as('walked'),
    ])
    .groupBy('focus_days.day'),
)

/**
 * Each day of each session of a page. It does not select the seconds: with them, SQLite would walk over all days of the account
 * for each session.
 */
const sessionDaysOfPage = compiledOnce<PageWithin>()((db, param) =>
  daysOfSessions(db, param)
    .select(['some.id', 'focus_days.day'])
    // Not 'is not null', which would turn the left join into an inner join.
    .where(sql<string>`coalesce(focus_days.day, '')`, '<>', ''),
)

/** The last session of a full page; none on the last page. */
const lastOfPage = compiledOnce<PageWithin>()((db, param) =>
  pageOfSessions(db, param)
    .select('id')
    .limit(1)
    .offset(sessionsAtOnce - 1),
)

/**
 * The expression keeps PostgreSQL from using an index on days, which would walk over all days of the account for each session.
 */
const dayAlone = sql<Day>`focus_days.day || ''`

function daysOfSessions(db: Kysely<Tables>, param: Param<PageWithin>) {
  return (
    db
      .selectFrom(
        pageOfSessions(db, param).select(['id', 'subject_at', 'import_id', 'imported_at']).as('some'),
      )
      // An inner join would let SQLite walk over all days of the account for each of these sessions.
      .leftJoin('focus_days', (join) =>
        join
          .onRef('focus_days.session_id', '=', 'some.id')
          .on('focus_days.user_id', '=', param('user'))
          .on(dayAlone, '>=', param('from'))
          .on(dayAlone, '<', param('before'))
          .on((eb) =>
            eb.and([
              eb.or([
                eb('some.subject_at', '>=', param('since')),
                eb('some.imported_at', '>=', param('since')),
              ]),
              eb.or([
                eb(eb.fn.coalesce('some.import_id', eb.val('none')), '<>', param('madeBy')),
                // A person gave the session to the habit after the import.
                eb('some.subject_at', '>', eb.ref('some.imported_at')),
              ]),
            ]),
          ),
      )
  )
}
