import { type Kysely, sql, type Transaction } from 'kysely'
import type { FocusedSession } from '#features/habits/amounts/amounts.ts'
import { hasMinutes, isInMinutes, isMinutesDay } from '#features/habits/amounts/minutes.ts'
import { readSettles } from '#features/habits/amounts/server/entry-store.ts'
import { type RhythmRow, spansOf } from '#features/habits/rhythm/rhythm.ts'
import { type Day, dayNumber, type Instant } from '#platform/calendar/day.ts'
import { compiledOnce, type Param } from '#platform/database/compiled-once.ts'
import type { Tables } from '#platform/database/tables.ts'
import { inBatches } from '#platform/database/work/batches.ts'
import { countWalked } from '#platform/database/work/work.ts'
import { createYieldPoint } from '#platform/database/work/yield-point.ts'

// What was focused on habits: the days of their sessions. They count where a target is in minutes, so most readers ask only
// for habits that have one.

/** `to` is included; without it, every later day is, too. */
interface Days {
  from: Day
  to?: Day | undefined
}

interface HabitKey {
  user_id: string
  id: string
}

/** The sessions with seconds on one of these days, by the habit that they belong to; undefined if they are more than `most`. */
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

/** Along the days, of which few are read: with an inner join, databases would walk through all sessions of the habits. */
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

/** One that an import brought counts as given when it ended: otherwise a device would let it move the start of the habit. */
function liveSessionOf({ session_id, day, seconds, ...row }: DayOfSession): FocusedSession {
  const { subject_at, ended_at, imported_at } = row
  const givenAt = subject_at ?? 0
  const isBrought = imported_at !== null && givenAt <= imported_at
  const at = isBrought ? Math.min(givenAt, ended_at ?? givenAt) : givenAt
  return { id: session_id, day, seconds, at, deleted: false }
}

/** Those of one habit on these days. */
export async function readSessionsOf(
  db: Kysely<Tables>,
  habit: HabitKey,
  { from, to = from }: Days,
): Promise<FocusedSession[]> {
  const found: FocusedSession[] = []
  for await (const sessions of pagesOfSessions(db, habit, noLimit)) {
    // One by one: a page may have more days than a call takes arguments.
    for (const session of sessions ?? []) if (session.day >= from && session.day <= to) found.push(session)
  }
  return found
}

/** All of one habit; undefined if they are more than `most` rows. */
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

/** Ends with undefined once they are more than `most` rows. */
async function* pagesOfSessions(
  db: Kysely<Tables>,
  { user_id, id }: HabitKey,
  most: number,
): AsyncGenerator<FocusedSession[] | undefined> {
  let left = most
  const yieldPoint = createYieldPoint()
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: Page = { user: user_id, habit: id, after, limit: sessionsAtOnce }
    const ofPage: { id: string; subject_at: Instant }[] = await sessionsOfPage(db, page)
    left -= ofPage.length
    if (left < 0) return yield undefined
    // One session may have a year of days.
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

/** More than any account has. */
const noLimit = 1_000_000_000

const sessionsOfPage = compiledOnce<Page>()((db, param) =>
  pageOfSessions(db, param).select(['id', 'subject_at']),
)

/** The days of the sessions of a page, whichever they are. */
const allDaysOfPage = compiledOnce<Page & { most: number }>()((db, param) =>
  db
    .selectFrom('focus_days')
    .select(['session_id', 'day', 'seconds'])
    .where('user_id', '=', param('user'))
    .where('session_id', 'in', (some) =>
      some.selectFrom(pageOfSessions(db, param).select('id').as('some')).select('some.id'),
    )
    // In this order, SQLite looks each session up. Otherwise it would walk through all days of the account for each of them.
    .orderBy('session_id')
    .orderBy('day')
    .limit(param('most')),
)

function pageOfSessions(db: Kysely<Tables>, param: Param<Page>) {
  return db
    .selectFrom('focus_sessions')
    .where('user_id', '=', param('user'))
    .where('habit_id', '=', param('habit'))
    .where('deleted_at', 'is', null)
    .where('id', '>', param('after'))
    .orderBy('id')
    .limit(param('limit'))
}

/** Everything that a set of a day may replace: those that are deleted, too. */
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

/** Which of these ids are sessions that are not deleted, whatever they are about now. */
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

/**
 * The first day before its chosen start on which a session counts for each of these habits; none where there is no such day. Only
 * sessions that were given to the habit since that choice do; of a habit that an import made, none of that import.
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

/** The first day since their start that was focused on each of these habits; none without any. */
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

/** A walk over the sessions of a habit, page by page. Other requests are served in between, also between habits. */
interface Walk {
  habit: HabitKey
  within: Within
  yieldPoint: () => Promise<void>
}

function pageAfter({ habit, within }: Walk, after: string): PageWithin {
  return { user: habit.user_id, habit: habit.id, after, limit: sessionsAtOnce, ...within }
}

/** The days of the sessions of a habit, in order: those whose target is in minutes. */
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
      // On a day before, it may have been counted in something else.
      if (day !== null && isMinutesDay(spans, dayNumber(day))) days.add(day)
    }
  }
  return [...days].toSorted()
}

/** The first of these days with a session that the latest set of the day doesn't name. Each of them has a session. */
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
    // Of all these days at once: those of one day can only be found among those of all habits.
    sessionsOn ??= await sessionsOnDays(tx, walk, new Set(days))
    for (const day of some) {
      const named = new Set(setsOn.get(day)?.flatMap(({ id }) => settles.get(id) ?? []))
      if (sessionsOn.get(day)?.some((id) => !named.has(id))) return day
    }
  }
  return undefined
}

/** A day may have hundreds of sets. */
const fewDays = 10

/** By their ids. Also those that were given to the habit before: whichever counts lets the day count. */
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

/** Of the habit: which day was chosen as its start, and when, and by which import it was made, if by any. */
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

/** Given to the habit at any time, and by anyone. */
const whenever = { since: -1, madeBy: '' }

/** Earlier and later than any day. */
const [firstOfAll, afterAll] = ['0001-01-01' as Day, '9999-12-31' as Day]

/** So many sessions are walked at once: a few milliseconds' worth. */
const sessionsAtOnce = 2_000

interface Page extends Record<string, unknown> {
  user: string
  habit: string
  after: string
  limit: number
}

/** Of which sessions, and of which of their days. */
interface Within {
  /** They were given to the habit since then. */
  since: Instant
  /** Not those of this import. */
  madeBy: string
  from: Day
  /** Not included. */
  before: Day
}

type PageWithin = Page & Within

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

/** Each of their days, and the last id that it has in the page. */
const daysOfPage = compiledOnce<PageWithin>()((db, param) =>
  daysOfSessions(db, param)
    .select(({ fn }) => [
      'focus_days.day',
      fn.max<string | null>('some.id').as('last'),
      fn.countAll<number>().as('walked'),
    ])
    .groupBy('focus_days.day'),
)

/** Each day of each of the sessions of a page. With their seconds, SQLite would walk all days of the account for each session. */
const sessionDaysOfPage = compiledOnce<PageWithin>()((db, param) =>
  daysOfSessions(db, param)
    .select(['some.id', 'focus_days.day'])
    // Not 'is not null', which would make an inner join of it.
    .where(sql<string>`coalesce(focus_days.day, '')`, '<>', ''),
)

/** The last session of a page, unless that is the last page. */
const lastOfPage = compiledOnce<PageWithin>()((db, param) =>
  pageOfSessions(db, param)
    .select('id')
    .limit(1)
    .offset(sessionsAtOnce - 1),
)

/** By an index on days, PostgreSQL would look for them among all days of the account, for each of the sessions. */
const dayAlone = sql<Day>`focus_days.day || ''`

function daysOfSessions(db: Kysely<Tables>, param: Param<PageWithin>) {
  return (
    db
      .selectFrom(
        pageOfSessions(db, param).select(['id', 'subject_at', 'import_id', 'imported_at']).as('some'),
      )
      // An inner join would let SQLite walk through all days of the account for each of these sessions.
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
                // A person gave it to the habit later.
                eb('some.subject_at', '>', eb.ref('some.imported_at')),
              ]),
            ]),
          ),
      )
  )
}
