import type { Kysely, Transaction } from 'kysely'
import type { Day } from '#platform/calendar/day.ts'
import { dayFromNumber, dayNumber } from '#platform/calendar/day.ts'
import { inBatches } from '#platform/database/batches.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { FocusedSession } from '../amounts.ts'
import { hasMinutes, isInMinutes, isMinutesDay } from '../minutes.ts'
import { type RhythmRow, spansOf } from '../rhythm.ts'

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
  tx: Transaction<Tables>,
  user: string,
  { from, to }: Days,
  most?: number,
): Promise<Map<string, FocusedSession[]> | undefined> {
  const rows = await tx
    .selectFrom('focus_days')
    // Along the days, of which few are read: with an inner join, databases would walk through all sessions of the habits.
    .leftJoin('focus_sessions', (join) =>
      join
        .onRef('focus_sessions.user_id', '=', 'focus_days.user_id')
        .onRef('focus_sessions.id', '=', 'focus_days.session_id')
        .on('focus_sessions.deleted_at', 'is', null),
    )
    .select(['habit_id', 'session_id', 'day', 'seconds', 'subject_at'])
    .where('focus_days.user_id', '=', user)
    .where('day', '>=', from)
    .$if(to !== undefined, (query) => query.where('day', '<=', to ?? from))
    .$if(most !== undefined, (query) => query.limit((most ?? 0) + 1))
    .execute()
  if (most !== undefined && rows.length > most) return undefined
  const sessionsOf = new Map<string, FocusedSession[]>()
  for (const { habit_id, session_id, day, seconds, subject_at } of rows) {
    if (habit_id === null) continue
    const session = { id: session_id, day, seconds, at: subject_at ?? 0, deleted: false }
    const ofHabit = sessionsOf.get(habit_id)
    if (ofHabit) ofHabit.push(session)
    else sessionsOf.set(habit_id, [session])
  }
  return sessionsOf
}

/** Those of one habit, in the order of their days; no more than `most`. */
export async function readSessionsOf(
  tx: Transaction<Tables>,
  { user_id, id }: HabitKey,
  { from, to = from }: Days,
  most?: number,
): Promise<FocusedSession[]> {
  const rows = await tx
    .selectFrom('focus_sessions')
    .innerJoin('focus_days', (join) =>
      join
        .onRef('focus_days.user_id', '=', 'focus_sessions.user_id')
        .onRef('focus_days.session_id', '=', 'focus_sessions.id'),
    )
    .select(['session_id', 'day', 'seconds', 'subject_at', 'deleted_at'])
    .where('focus_sessions.user_id', '=', user_id)
    .where('habit_id', '=', id)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('deleted_at', 'is', null)
    .orderBy('day')
    .$if(most !== undefined, (query) => query.limit(most ?? 0))
    .execute()
  return rows.map(({ session_id, day, seconds, subject_at }) => ({
    ...{ id: session_id, day, seconds },
    ...{ at: subject_at, deleted: false },
  }))
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

/** The first day on which a session counts for each of these habits, of all time; none where there is no such day. */
export async function readFirstFocused(
  tx: Transaction<Tables>,
  user: string,
  rowsOf: ReadonlyMap<string, readonly RhythmRow[]>,
): Promise<Map<string, Day>> {
  const counting = new Map([...rowsOf].filter(([, rows]) => hasMinutes(rows)))
  const first = new Map<string, Day>()
  if (counting.size === 0) return first
  const found = await firstDays(tx, user, [...counting.keys()])
  for (const [id, rows] of counting) {
    const day = found.get(id)
    if (day === undefined) continue
    const spans = spansOf(rows)
    if (isMinutesDay(spans, dayNumber(day))) first.set(id, day)
    // It was counted in something else then: sought from the next day on that is counted in minutes.
    else
      for (const span of spans) {
        if (first.has(id) || !isInMinutes(span.target) || span.last < dayNumber(day)) continue
        const since = dayFromNumber(Math.max(span.first, dayNumber(day)))
        const to = Number.isFinite(span.last) ? dayFromNumber(span.last) : undefined
        const next = (await firstDays(tx, user, [id], { from: since, to })).get(id)
        if (next !== undefined) first.set(id, next)
      }
  }
  return first
}

async function firstDays(
  tx: Transaction<Tables>,
  user: string,
  ids: readonly string[],
  range?: Days,
): Promise<Map<string, Day>> {
  const rows = await tx
    .selectFrom('focus_sessions')
    .innerJoin('focus_days', (join) =>
      join
        .onRef('focus_days.user_id', '=', 'focus_sessions.user_id')
        .onRef('focus_days.session_id', '=', 'focus_sessions.id'),
    )
    .select(({ fn }) => ['habit_id', fn.min<Day>('day').as('first')])
    .where('focus_sessions.user_id', '=', user)
    .where('habit_id', 'in', ids)
    .where('deleted_at', 'is', null)
    .$if(range !== undefined, (query) => query.where('day', '>=', range?.from ?? firstEver))
    .$if(range?.to !== undefined, (query) => query.where('day', '<=', range?.to ?? firstEver))
    .groupBy('habit_id')
    .execute()
  return new Map(rows.flatMap(({ habit_id, first }) => (habit_id === null ? [] : [[habit_id, first]])))
}

const firstEver = '0001-01-01' as Day
