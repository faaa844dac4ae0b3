import { type Kysely, sql, type Transaction } from 'kysely'
import { hasMinutes, isInMinutes, isMinutesDay } from '#features/habits/amounts/minutes.ts'
import { readSettles } from '#features/habits/amounts/server/entry-store.ts'
import { type RhythmRow, spansOf } from '#features/habits/rhythm/rhythm.ts'
import { type Day, dayNumber, type Instant } from '#platform/calendar/day.ts'
import { compiledOnce, type Param } from '#platform/database/compiled-once.ts'
import type { Tables } from '#platform/database/tables.ts'
import { inBatches } from '#platform/database/work/batches.ts'
import { countWalked } from '#platform/database/work/work.ts'
import { createYieldPoint } from '#platform/database/work/yield-point.ts'
import { type HabitKey, pageOfSessions, type SessionPage, sessionsAtOnce } from './focused-session-store.ts'

// When the sessions of a habit let it begin. Nothing is stored: a session moves the start only as long as it is there.

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
