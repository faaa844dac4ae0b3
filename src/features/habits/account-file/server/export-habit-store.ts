import { type Kysely, type SqlBool, sql } from 'kysely'
import { namedIn } from '#features/habits/amounts/server/entry-store.ts'
import { mostSettled } from '#features/habits/habit/habit-requests.ts'
import { habitRows } from '#features/habits/habit/server/habit-rows.ts'
import { type HabitRow, liveHabits } from '#features/habits/habit/server/live-habit-store.ts'
import { type HabitKey, readFirstFocused } from '#features/habits/past/server/focused-session-store.ts'
import { isDone, startDayOf } from '#features/habits/past/server/habit-days-store.ts'
import { frequencyOf, type RhythmRow, spansOf } from '#features/habits/rhythm/rhythm.ts'
import { readRhythmsOf } from '#features/habits/rhythm/server/rhythm-store.ts'
import { type Day, instantToWire } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { pagesByKey, stretchesByKey } from '#platform/database/pacing/keyset-pagination.ts'
import { betweenStretches } from '#platform/database/pacing/work.ts'
import type { Tables } from '#platform/database/tables.ts'
import type { RowToWrite } from '#platform/wire/file-rows.ts'
import type { ExportedAmount, ExportedHabit } from '../exported-habit.ts'

/** Rows per read of each kind: few enough that other requests are served between two reads. */
const [daysAtOnce, notesAtOnce, entriesAtOnce, rhythmsAtOnce] = [5_000, 25, 500, 1_000]

/** Yields every habit that is not deleted, one at a time, oldest first. The data about its days is read while it is written. */
export async function* exportHabits(db: Database, user: string): AsyncGenerator<RowToWrite<ExportedHabit>[]> {
  const ids = await liveHabits(db.read, user).select('id').orderBy('created_at').orderBy('id').execute()
  for (const { id } of ids) {
    const habit = await liveHabits(db.read, user).selectAll().where('id', '=', id).executeTakeFirst()
    // The habit was deleted after the ids were read.
    if (!habit) continue
    const rhythms = inOrder(await readRhythmsOf(db.read, habit))
    const last = spansOf(rhythms).at(-1)
    const stretches = await stretchesOf(db.read, habit)
    yield [
      {
        ...habitRows.toFile(habit),
        start_date: await beginningOf(db, habit, rhythms),
        frequency: last ? frequencyOf(last.rhythm, last.target) : 'daily',
        rhythms: inParts(rhythms, rhythmsAtOnce),
        completions: daysOf(db.read, habit, stretches, isDone),
        skips: daysOf(db.read, habit, stretches, isSkippedHere),
        notes: notesOf(db.read, habit, stretches),
        amounts: amountsOf(db.read, habit),
      },
    ]
  }
}

function inOrder(rows: readonly RhythmRow[]): RhythmRow[] {
  return rows.toSorted((a, b) => (a.from_day < b.from_day ? -1 : 1))
}

async function* inParts<Each>(all: readonly Each[], most: number): AsyncGenerator<Each[]> {
  for (let next = 0; next < all.length; next += most) yield all.slice(next, next + most)
}

/**
 * The day on which the habit begins. The new account takes this day as the chosen start: entries from before it don't count there
 * either.
 */
function beginningOf(db: Database, habit: HabitRow, rhythms: readonly RhythmRow[]): Promise<Day> {
  return db.snapshot(async (tx) => {
    const focused = await readFirstFocused(tx, habit.user_id, new Map([[habit.id, rhythms]]))
    return startDayOf(habit, focused.get(habit.id))
  })
}

/** A range of days: `after` is not included, `to` is. */
interface Stretch {
  after: Day
  to: Day
}

const beforeAll = '0001-01-01' as Day
const lastOfAll = '9999-12-31' as Day

/**
 * Splits all time into ranges of days in which the habit has few stored rows. A query for rare days then never walks over many
 * rows.
 */
async function stretchesOf(db: Kysely<Tables>, { user_id, id }: HabitKey): Promise<Stretch[]> {
  const stretches: Stretch[] = []
  const endAfter = (after?: { day: Day }) =>
    db
      .selectFrom('completions')
      .select('day')
      .where('user_id', '=', user_id)
      .where('habit_id', '=', id)
      .where('day', '>', after?.day ?? beforeAll)
      .orderBy('day')
      .limit(1)
      .offset(daysAtOnce - 1)
      .executeTakeFirst()
  for await (const { after, end } of stretchesByKey(endAfter, betweenStretches)) {
    stretches.push({ after: after?.day ?? beforeAll, to: end?.day ?? lastOfAll })
  }
  return stretches
}

/**
 * `+ 0` keeps the database from using the index of skipped days. That index lists all habits by day, so each habit would walk
 * over all of it.
 */
const isSkippedHere = sql<SqlBool>`completions.skipped + 0 = 1`

/** Yields the days that match the condition `are`, in order. */
async function* daysOf(
  db: Kysely<Tables>,
  { user_id, id }: HabitKey,
  stretches: readonly Stretch[],
  are: typeof isDone,
): AsyncGenerator<Day[]> {
  for (const { after, to } of stretches) {
    const rows = await db
      .selectFrom('completions')
      .select('day')
      .where('user_id', '=', user_id)
      .where('habit_id', '=', id)
      .where('day', '>', after)
      .where('day', '<=', to)
      .where(are)
      .orderBy('day')
      .execute()
    yield rows.map(({ day }) => day)
  }
}

/** Yields the days with a note, in order. */
async function* notesOf(
  db: Kysely<Tables>,
  { user_id, id }: HabitKey,
  stretches: readonly Stretch[],
): AsyncGenerator<ExportedHabit['notes']> {
  for (const { after, to } of stretches) {
    const read = (last?: { day: Day }) =>
      db
        .selectFrom('completions')
        .select(['day', 'note'])
        .where('user_id', '=', user_id)
        .where('habit_id', '=', id)
        .where('day', '>', last?.day ?? after)
        .where('day', '<=', to)
        .where('note', '<>', '')
        .orderBy('day')
        .limit(notesAtOnce)
        .execute()
    for await (const rows of pagesByKey(notesAtOnce, read)) yield rows.map(({ day, note }) => ({ day, note }))
  }
}

/**
 * Yields the amounts ordered by day, then by id, which is mostly the order in which they were entered. A set names only ids that
 * are in the file, and at most `mostSettled`; any further adds that it replaced are left out of the file. A set only replaces
 * entries of its own day, so each day is handled on its own.
 */
async function* amountsOf(db: Kysely<Tables>, habit: HabitKey): AsyncGenerator<ExportedAmount[]> {
  const sessionsAmong = sessionFinder(db, habit.user_id)
  for await (const entries of wholeDaysOf(db, habit)) {
    const idsOn = new Map<Day, Set<string>>()
    for (const { day, id } of entries) idsOn.set(day, (idsOn.get(day) ?? new Set()).add(id))
    const leftOut = new Set<string>()
    for (const some of inLengths(entries.filter(({ length }) => length > longestNamed))) {
      const named = await namedInFile(db, habit, some, idsOn, sessionsAmong)
      for (const ids of named.values()) for (const id of ids.slice(mostSettled)) leftOut.add(id)
      await betweenStretches()
    }
    for (const some of inLengths(entries)) {
      const named = await namedInFile(db, habit, some, idsOn, sessionsAmong)
      const kept = some.filter(({ id }) => !leftOut.has(id))
      yield kept.map(({ id, day, value, is_set, created_at }) => ({
        id,
        day,
        value,
        set: is_set === 1,
        settles: named.get(id)?.slice(0, mostSettled) ?? [],
        at: instantToWire(created_at),
      }))
    }
  }
}

/** An entry without the ids that it replaces: for a set, these can be longer than all the rest. */
interface EntryInFile extends Pick<Tables['amounts'], 'id' | 'day' | 'value' | 'is_set' | 'created_at'> {
  /** Length of the stored `settles`, in bytes. */
  length: number
  /** The stored `settles` if they are short enough to be read together with the entry; otherwise null. */
  short: string | null
}

/** Bytes. A list of ids in `settles` up to this length is read together with its entry: enough for a handful of ids. */
const longestShort = 240

/** Bytes of `settles` with the most ids that a file allows. A longer `settles` may hold more ids than that. */
const longestNamed = JSON.stringify(Array(mostSettled).fill('01900000-0000-7000-8000-000000000000')).length
/** The most bytes of entries that are written together. */
const longestPart = 128 * 1_024
const lengthWithoutNamed = 180

/** Yields the entries of a few days at a time. A day is never split. */
async function* wholeDaysOf(
  db: Kysely<Tables>,
  { user_id, id: habit_id }: HabitKey,
): AsyncGenerator<EntryInFile[]> {
  const read = (last?: Pick<EntryInFile, 'day' | 'id'>) =>
    db
      .selectFrom('amounts')
      .select(['id', 'day', 'value', 'is_set', 'created_at'])
      .select(sql<number>`coalesce(octet_length(settles), 0)`.as('length'))
      .select(
        sql<string | null>`case when octet_length(settles) <= ${longestShort} then settles end`.as('short'),
      )
      .where('user_id', '=', user_id)
      .where('habit_id', '=', habit_id)
      .where('deleted_at', 'is', null)
      .where((eb) => eb(eb.refTuple('day', 'id'), '>', eb.tuple(last?.day ?? beforeAll, last?.id ?? '')))
      .orderBy('day')
      .orderBy('id')
      .limit(entriesAtOnce)
      .execute()
  let begun: EntryInFile[] = []
  for await (const rows of pagesByKey(entriesAtOnce, read, betweenStretches)) {
    begun.push(...rows)
    // More entries of the last day may follow, so keep it for the next page.
    const last = begun.at(-1)
    const whole = begun.findIndex(({ day }) => day === last?.day)
    if (whole <= 0) continue
    yield begun.slice(0, whole)
    begun = begun.slice(whole)
  }
  yield begun
}

/** Splits entries into parts whose JSON is short. A single entry is never split. */
function* inLengths(entries: readonly EntryInFile[]): Generator<EntryInFile[]> {
  let part: EntryInFile[] = []
  let sum = 0
  for (const entry of entries) {
    const more = lengthWithoutNamed + entry.length
    if (part.length > 0 && sum + more > longestPart) {
      yield part
      part = []
      sum = 0
    }
    part.push(entry)
    sum += more
  }
  if (part.length > 0) yield part
}

/** The ids that each set replaced, limited to ids in the file: sessions first, then entries of the set's day. */
async function namedInFile(
  db: Kysely<Tables>,
  { user_id }: HabitKey,
  entries: readonly EntryInFile[],
  idsOn: ReadonlyMap<Day, ReadonlySet<string>>,
  sessionsAmong: SessionFinder,
): Promise<Map<string, string[]>> {
  const sets = entries.filter(({ is_set }) => is_set === 1)
  const named = new Map(sets.map(({ id, short }) => [id, short === null ? [] : namedIn(short)]))
  for (const batch of inBatches(sets.filter(({ length }) => length > longestShort))) {
    const rows = await db
      .selectFrom('amounts')
      .select(['id', 'settles'])
      .where('user_id', '=', user_id)
      .where(
        'id',
        'in',
        batch.map(({ id }) => id),
      )
      .execute()
    for (const { id, settles } of rows) named.set(id, settles === null ? [] : namedIn(settles))
  }
  const isOfDay = (day: Day, id: string) => idsOn.get(day)?.has(id) === true
  const others = new Set(
    sets.flatMap(({ id, day }) => (named.get(id) ?? []).filter((other) => !isOfDay(day, other))),
  )
  const sessions = await sessionsAmong(others)
  return new Map(
    sets.map(({ id, day }) => {
      const ids = named.get(id) ?? []
      const adds = ids.filter((other) => isOfDay(day, other))
      return [id, [...ids.filter((other) => sessions.has(other)), ...adds]]
    }),
  )
}

/** Returns which of the ids are live sessions. */
type SessionFinder = (ids: ReadonlySet<string>) => Promise<ReadonlySet<string>>

/** Remembers the last few thousand ids that it looked up, since many sets name the same ids. */
function sessionFinder(db: Kysely<Tables>, user: string): SessionFinder {
  const looked = new Set<string>()
  const live = new Set<string>()
  return async (ids) => {
    if (looked.size > mostLooked) {
      looked.clear()
      live.clear()
    }
    for (const batch of inBatches([...ids.difference(looked)])) {
      await betweenStretches()
      const sessions = await db
        .selectFrom('focus_sessions')
        .select('id')
        .where('user_id', '=', user)
        .where('id', 'in', batch)
        .where('deleted_at', 'is', null)
        .execute()
      for (const { id } of sessions) live.add(id)
      for (const id of batch) looked.add(id)
    }
    return live
  }
}

const mostLooked = 10_000
