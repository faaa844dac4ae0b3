import { type Kysely, type SqlBool, sql, type Transaction } from 'kysely'
import { amountRows } from '#features/habits/amounts/server/amount-rows.ts'
import { namedIn } from '#features/habits/amounts/server/entry-store.ts'
import { refuseFullDays } from '#features/habits/days/server/amount-store.ts'
import { mostSettled } from '#features/habits/habit/habit-requests.ts'
import { daysChanged } from '#features/habits/habit/server/changed-day-store.ts'
import { shortened } from '#features/habits/habit/server/habit-position-store.ts'
import { completionLimit, habitRows } from '#features/habits/habit/server/habit-rows.ts'
import { type HabitRow, liveHabits, lockHabit } from '#features/habits/habit/server/live-habit-store.ts'
import { withFirstEntry } from '#features/habits/past/server/first-entry-store.ts'
import { liveSessionsAmong, readFirstFocused } from '#features/habits/past/server/focused-session-store.ts'
import { isDone, startDayOf } from '#features/habits/past/server/habit-days-store.ts'
import { setHabitAlarms } from '#features/habits/reminder/server/habit-reminder-store.ts'
import { frequencyOf, type RhythmRow, rhythmOfFrequency, spansOf } from '#features/habits/rhythm/rhythm.ts'
import { readRhythmsOf, refuseManyRhythms, rhythmLimit } from '#features/habits/rhythm/server/rhythm-store.ts'
import { type Day, type Instant, instantFromWire, instantToWire } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { type ImportedRows, isAsImported } from '#platform/database/rows/synced-rows.ts'
import type { Adding } from '#platform/database/rows/write-within-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import { inBatches } from '#platform/database/work/batches.ts'
import { pagesByKey, stretchesByKey } from '#platform/database/work/keyset-pagination.ts'
import { betweenStretches } from '#platform/database/work/work.ts'
import { createYieldPoint } from '#platform/database/work/yield-point.ts'
import { longestPosition } from '#platform/order/position.ts'
import type { RowToWrite } from '#platform/wire/file-rows.ts'
import type {
  ExportedAmount,
  ExportedHabit,
  ImportedAmounts,
  ImportedCompletions,
  ImportedHabit,
  ImportedNotes,
  ImportedRhythms,
} from '../exported-habit.ts'
import { findNewDays } from './new-day-store.ts'
import { undoHabits } from './undone-import-store.ts'

/** Of each, few enough that other requests are served between two reads. */
const [daysAtOnce, notesAtOnce, entriesAtOnce, rhythmsAtOnce] = [5_000, 25, 500, 1_000]

/** Every habit that is not deleted, oldest first, one at a time; everything about its days is read while it is written. */
export async function* exportHabits(db: Database, user: string): AsyncGenerator<RowToWrite<ExportedHabit>[]> {
  const ids = await liveHabits(db.read, user).select('id').orderBy('created_at').orderBy('id').execute()
  for (const { id } of ids) {
    const habit = await liveHabits(db.read, user).selectAll().where('id', '=', id).executeTakeFirst()
    // Deleted since the list was read.
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

/** The day on which it begins. A new account has it as a whole: what was entered before its start was chosen doesn't count there either. */
function beginningOf(db: Database, habit: HabitRow, rhythms: readonly RhythmRow[]): Promise<Day> {
  return db.snapshot(async (tx) => {
    const focused = await readFirstFocused(tx, habit.user_id, new Map([[habit.id, rhythms]]))
    return startDayOf(habit, focused.get(habit.id))
  })
}

interface HabitKey {
  user_id: string
  id: string
}

/** `to` is included. */
interface Stretch {
  after: Day
  to: Day
}

const beforeAll = '0001-01-01' as Day
const lastOfAll = '9999-12-31' as Day

/** All of time in stretches, in each of which a habit has few rows: those that are looked for may be rare among them. */
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

/** The index of skipped days lists those of all habits by the day: for one habit after another, it would be walked over again and again. */
const isSkippedHere = sql<SqlBool>`completions.skipped + 0 = 1`

/** The days that are done, or those that are skipped, in order. */
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

/** The days with a note, in order. */
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
 * The amounts, in the order of their days, and then of their ids: mostly that in which they were entered. No set names what is not
 * in the file, nor more than a file may name: then the other adds that it replaced are left out, too. A set replaces nothing of
 * other days, so days are looked at one by one.
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
        ...{ id, day, value, set: is_set === 1 },
        settles: named.get(id)?.slice(0, mostSettled) ?? [],
        at: instantToWire(created_at),
      }))
    }
  }
}

/** An entry as it is read first: what a set names can be longer than all the rest. */
interface EntryInFile extends Pick<Tables['amounts'], 'id' | 'day' | 'value' | 'is_set' | 'created_at'> {
  /** In bytes, of what it names. */
  length: number
  /** What it names, if that is short: then it needs no read of its own. */
  short: string | null
}

/** In bytes: a handful of names. */
const longestShort = 240

/** With more bytes a set may name more than a file may. */
const longestNamed = JSON.stringify(Array(mostSettled).fill('01900000-0000-7000-8000-000000000000')).length
/** Of the entries that are written together, in bytes. */
const longestPart = 128 * 1_024
const lengthWithoutNamed = 180

/** The entries of a few days at a time, none of which is split. */
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
    // More entries of the last day may follow.
    const last = begun.at(-1)
    const whole = begun.findIndex(({ day }) => day === last?.day)
    if (whole <= 0) continue
    yield begun.slice(0, whole)
    begun = begun.slice(whole)
  }
  yield begun
}

/** Splits entries so that what is written of each part is short; one entry always is. */
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

/** What each set replaced of what is in the file: sessions, and then entries of its day. */
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

/** Which of these ids are live sessions. */
type SessionFinder = (ids: ReadonlySet<string>) => Promise<ReadonlySet<string>>

/** Many sets name the same ones: those that were found, or not, in the last few thousand are not looked for again. */
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
      for (const id of await liveSessionsAmong(db, user, batch)) live.add(id)
      for (const id of batch) looked.add(id)
    }
    return live
  }
}

const mostLooked = 10_000

/** The part of a piece that concerns habits. */
interface Piece {
  habits?: readonly ImportedHabit[] | undefined
  rhythms?: readonly ImportedRhythms[] | undefined
  completions?: readonly ImportedCompletions[] | undefined
  skips?: readonly ImportedCompletions[] | undefined
  notes?: readonly ImportedNotes[] | undefined
  amounts?: readonly ImportedAmounts[] | undefined
}

/** What each list of a piece says about a habit, for the message if that is not there. */
const said = {
  rhythms: 'these rhythms',
  completions: 'these completions',
  skips: 'these skipped days',
  notes: 'these notes',
  amounts: 'these amounts',
} as const

/** `zoneIn` locks and returns the zone of a user's reminders: nobody else can change it until the write ends. */
export function habitImporter({
  zoneIn,
}: {
  zoneIn: (tx: Transaction<Tables>, user: string) => Promise<string>
}) {
  return {
    collection: habitRows.collection,
    async refuse(tx: Transaction<Tables>, user: string, { habits = [], ...piece }: Piece) {
      // The first lock that an import takes. Everything that sets alarms locks the zone first, then the habits.
      await zoneIn(tx, user)
      const sent = new Set(habits.map(({ id }) => id))
      const named = Object.entries(said).flatMap(([list, what]) =>
        listIn(piece, list).map(({ habit_id }, place) => ({ habit_id, list, what, place })),
      )
      const expected = new Set(named.map(({ habit_id }) => habit_id)).difference(sent)
      const missing = await findMissingHabit(tx, user, [...expected])
      const first = named.find(({ habit_id }) => habit_id === missing)
      if (!first) return undefined
      const problem = `The habit for ${first.what} doesn't exist`
      return { field: `${first.list}.${first.place}.habit_id`, problem }
    },
    async importRows(
      tx: Transaction<Tables>,
      user: string,
      piece: Piece,
      now: Instant,
      adding: Adding,
      importId: string | null = null,
    ) {
      const { habits = [], rhythms = [], completions = [], skips = [], notes = [], amounts = [] } = piece
      const imported = await importHabits(tx, adding, user, habits, now, importId)
      const present = imported.added.union(imported.restored)
      if (present.size > 0) await setHabitAlarms(tx, user, await zoneIn(tx, user), now, present)
      const more = new Map(rhythms.map(({ habit_id, rhythms }) => [habit_id, rhythms]))
      // One that was there before keeps its rhythms, and nothing could take others back.
      for (const id of await notMadeBy(tx, user, importId, [...more.keys()])) more.delete(id)
      const addedRhythms = await addRhythms(tx, adding, user, more, now)
      for (const id of more.keys()) {
        const row = await lockedHabit(tx, user, id)
        // Whether there is anything on a day depends on its target.
        await habitRows.update(tx, row, await withFirstEntry(tx, row, 'all'), row.updated_at)
      }
      const completed = await importCompletions(tx, user, completions, now, importId)
      const skipped = await importSkips(tx, user, skips, now, importId)
      const noted = await importNotes(tx, user, notes, now, importId)
      adding.rows(completionLimit, completed + skipped + noted)
      return {
        habits: habitRows.countImported(imported, adding),
        rhythms: { added: addedRhythms },
        completions: { added: completed },
        skips: { added: skipped },
        notes: { added: noted },
        amounts: await importAmounts(tx, adding, user, amounts, now, importId),
      }
    },
    findNewDays,
    undo: undoHabits,
  }
}

function listIn(piece: Piece, list: string): readonly { habit_id: string }[] {
  const lists: Record<string, readonly { habit_id: string }[] | undefined> = { ...piece, habits: undefined }
  return lists[list] ?? []
}

/** Adds new habits with their rhythms, and restores deleted ones. A habit that already exists stays as it is. */
async function importHabits(
  tx: Transaction<Tables>,
  adding: Adding,
  user: string,
  habits: readonly ImportedHabit[],
  now: Instant,
  importId: string | null,
): Promise<ImportedRows> {
  const rows = habits.map(({ rhythms: _, frequency: __, archived_at, ...habit }) => ({
    ...habit,
    archived_at: archived_at && notLater(archived_at, now),
  }))
  const imported = await habitRows.importRows(tx, user, rows, now, importId)
  for (const batch of inBatches([...imported.added])) {
    // Chosen after whatever its file says of earlier days: those don't count.
    const chosen = { start_at: now + 1, made_by_import: importId }
    await tx.updateTable('habits').set(chosen).where('user_id', '=', user).where('id', 'in', batch).execute()
  }
  // Of several with one id the first was imported.
  const firstOfId = new Map(habits.toReversed().map((habit) => [habit.id, habit]))
  const added = [...imported.added].flatMap((id) => firstOfId.get(id) ?? [])
  await addRhythms(tx, adding, user, new Map(added.map((habit) => [habit.id, rhythmsIn(habit)])), now)
  const yieldPoint = createYieldPoint()
  for (const { id } of added.filter(({ position }) => position.length > longestPosition)) {
    await yieldPoint()
    const row = await habitRows.lock(tx, user, id)
    if (row) await shortened(tx, row)
  }
  return imported
}

function rhythmsIn({ rhythms, frequency, start_date }: ImportedHabit): RhythmRow[] {
  if (rhythms.length > 0) return rhythms
  return [{ from_day: start_date, rhythm: rhythmOfFrequency(frequency), target: 'yes' }]
}

/** Adds what holds from days from which nothing is known here, and returns how many those were. */
async function addRhythms(
  tx: Transaction<Tables>,
  adding: Adding,
  user: string,
  rhythmsOf: ReadonlyMap<string, readonly RhythmRow[]>,
  now: Instant,
): Promise<number> {
  const rows = [...rhythmsOf].flatMap(([habit_id, rhythms]) =>
    [...new Map(rhythms.toReversed().map((row) => [row.from_day, row])).values()].map(
      ({ from_day, rhythm, target }) => ({
        ...{ user_id: user, habit_id, from_day },
        rhythm: rhythm && JSON.stringify(rhythm),
        rhythm_at: rhythm ? now : 0,
        target: target && JSON.stringify(target),
        target_at: target ? now : 0,
      }),
    ),
  )
  let added = 0
  const changed = new Set<string>()
  const yieldPoint = createYieldPoint()
  for (const batch of inBatches(rows)) {
    await yieldPoint()
    const inserted = await tx
      .insertInto('rhythms')
      .values(batch)
      .onConflict((conflict) => conflict.columns(['user_id', 'habit_id', 'from_day']).doNothing())
      .returning('habit_id')
      .execute()
    added += inserted.length
    for (const { habit_id } of inserted) changed.add(habit_id)
  }
  await refuseManyRhythms(tx, user, changed)
  adding.rows(rhythmLimit, added)
  return added
}

function notLater(instant: string, now: Instant): string {
  return instantFromWire(instant) > now ? instantToWire(now) : instant
}

/** The first of the habits that does not exist or is deleted. Locks the others until the write ends. */
async function findMissingHabit(
  tx: Transaction<Tables>,
  user: string,
  ids: readonly string[],
): Promise<string | undefined> {
  // Everyone locks in the same order, so that two writes to the same habits never deadlock.
  const yieldPoint = createYieldPoint()
  for (const id of ids.toSorted()) {
    await yieldPoint()
    if (!(await lockHabit(tx, user, id))) return id
  }
  return undefined
}

/**
 * Completes the days that are not completed yet, and returns how many those were: a day that was undone here is completed
 * again. The habits must exist.
 */
export function importCompletions(
  tx: Transaction<Tables>,
  user: string,
  completions: readonly ImportedCompletions[],
  now: Instant,
  importId: string | null = null,
): Promise<number> {
  return importDays(tx, user, completions, now, importId, (row, batch) =>
    tx
      .insertInto('completions')
      .values(
        batch.map((day) => ({
          ...{ ...keyOf(row), day, done: 1 as const, changed_at: now },
          ...markOf(importId, now),
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'habit_id', 'day'])
          .doUpdateSet({ done: 1, skipped: 0, changed_at: now, ...markOfChanged(importId, now) })
          .where('completions.done', '=', 0),
      )
      .returning('day')
      .execute(),
  )
}

/** Skips the days that are neither skipped nor done here. */
function importSkips(
  tx: Transaction<Tables>,
  user: string,
  skips: readonly ImportedCompletions[],
  now: Instant,
  importId: string | null,
): Promise<number> {
  const importing = (row: HabitKey, batch: readonly Day[]) =>
    tx
      .insertInto('completions')
      .values(
        batch.map((day) => ({
          ...{ ...keyOf(row), day, changed_at: now },
          ...{ done: 0 as const, skipped: 1 as const },
          ...markOf(importId, now),
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'habit_id', 'day'])
          .doUpdateSet({ skipped: 1, changed_at: now, ...markOfChanged(importId, now) })
          .where('completions.done', '=', 0)
          .where('completions.skipped', '=', 0),
      )
      .returning('day')
      .execute()
  return importDays(tx, user, skips, now, importId, importing)
}

/** Writes days of habits in order, each only once, and returns how many changed. The habits must exist. */
async function importDays(
  tx: Transaction<Tables>,
  user: string,
  daysOfHabits: readonly ImportedCompletions[],
  now: Instant,
  importId: string | null,
  write: (row: HabitKey, batch: readonly Day[]) => Promise<{ day: Day }[]>,
): Promise<number> {
  let sum = 0
  const yieldPoint = createYieldPoint()
  for (const [id, days] of daysByHabit(daysOfHabits)) {
    const row = await lockedHabit(tx, user, id)
    const changed: Day[] = []
    for (const batch of inBatches([...new Set(days)].toSorted())) {
      await yieldPoint()
      changed.push(...(await write(row, batch)).map(({ day }) => day))
    }
    if (changed.length === 0) continue
    await importedDaysChanged(tx, row, changed, now, importId)
    sum += changed.length
  }
  return sum
}

/** Writes the notes of days that have none here, and returns how many those were. The habits must exist. */
async function importNotes(
  tx: Transaction<Tables>,
  user: string,
  notes: readonly ImportedNotes[],
  now: Instant,
  importId: string | null,
): Promise<number> {
  let added = 0
  const yieldPoint = createYieldPoint()
  for (const [id, days] of daysByHabit(notes)) {
    const row = await lockedHabit(tx, user, id)
    const written = new Map(days.toReversed().map(({ day, note }) => [day, note]))
    for (const batch of inBatches([...written].filter(([, note]) => note !== ''))) {
      await yieldPoint()
      const changed = await tx
        .insertInto('completions')
        .values(
          batch.map(([day, note]) => ({
            ...{ ...keyOf(row), day, note, note_at: now },
            ...{ done: 0 as const, changed_at: 0 },
            ...markOf(importId, now),
          })),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['user_id', 'habit_id', 'day'])
            .doUpdateSet((eb) => ({
              ...{ note: eb.ref('excluded.note'), note_at: now },
              ...markOfChanged(importId, now),
              ...(importId !== row.made_by_import && keptBeforeStart(row)),
            }))
            .where('completions.note', '=', ''),
        )
        .returning('day')
        .execute()
      added += changed.length
    }
  }
  return added
}

/** Adds entries that are not here, and restores those that were deleted. The habits must exist. */
async function importAmounts(
  tx: Transaction<Tables>,
  adding: Adding,
  user: string,
  amounts: readonly ImportedAmounts[],
  now: Instant,
  importId: string | null,
): Promise<{ added: number; restored: number }> {
  const sum = { added: 0, restored: 0 }
  for (const [id, entries] of daysByHabit(amounts)) {
    const row = await lockedHabit(tx, user, id)
    const rows = entries.map(({ at, set, settles, ...entry }) => ({
      ...{ ...entry, habit_id: id, created_at: at },
      ...{ set, settles: set ? settles : null },
    }))
    const imported = await amountRows.importRows(tx, user, rows, now, importId)
    const { added, restored } = amountRows.countImported(imported, adding)
    if (added + restored === 0) continue
    sum.added += added
    sum.restored += restored
    const present = imported.added.union(imported.restored)
    const days = entries.filter((entry) => present.has(entry.id)).map(({ day }) => day)
    await refuseFullDays(tx, row, days)
    await importedDaysChanged(tx, row, days, now, importId)
  }
  return sum
}

/** By which import a day that was not stored can be taken back. */
function markOf(importId: string | null, now: Instant) {
  return importId === null ? {} : { import_id: importId, imported_at: now }
}

/** The same for a day that was stored, with what it was; by the same import it may have been written before. */
function markOfChanged(importId: string | null, now: Instant) {
  if (importId === null) return { import_id: null, imported_at: null, before_import: null }
  return {
    ...markOf(importId, now),
    before_import: sql<'done' | 'skipped' | 'none' | null>`case
      when completions.import_id = ${importId} then completions.before_import
      when completions.done = 1 then 'done'
      when completions.skipped = 1 then 'skipped'
      else 'none' end`,
  }
}

/** A day that came with the habit must not move its start once a note of another import has replaced the day's mark. */
function keptBeforeStart({ made_by_import, start_at }: HabitRow) {
  if (made_by_import === null) return {}
  return {
    changed_at: sql<number>`case
      when completions.import_id = ${made_by_import}
        and coalesce(completions.before_import, 'none') <> 'done'
        and completions.changed_at between ${start_at} and completions.imported_at
      then ${start_at - 1} else completions.changed_at end`,
  }
}

/** The row after its days were imported: one that the same import made is not touched by that. */
async function importedDaysChanged(
  tx: Transaction<Tables>,
  row: HabitRow,
  days: readonly Day[],
  now: Instant,
  importId: string | null,
): Promise<void> {
  const changed = await daysChanged(tx, row, days, now)
  if (importId === null || row.import_id !== importId || !isAsImported(row)) return
  await habitRows.update(tx, changed, { imported_at: changed.updated_at }, changed.updated_at)
}

/** Those that were there before an import. */
async function notMadeBy(
  tx: Transaction<Tables>,
  user: string,
  importId: string | null,
  ids: readonly string[],
): Promise<string[]> {
  if (importId === null || ids.length === 0) return []
  const rows = await tx
    .selectFrom('habits')
    .select(['id', 'import_id', 'deleted_before_import'])
    .where('user_id', '=', user)
    .where('id', 'in', ids)
    .execute()
  return rows
    .filter(
      ({ import_id, deleted_before_import }) => import_id !== importId || deleted_before_import !== null,
    )
    .map(({ id }) => id)
}

/** Everything about one habit together. */
function daysByHabit<DayOfHabit>(
  rows: readonly { habit_id: string; days: readonly DayOfHabit[] }[],
): Map<string, DayOfHabit[]> {
  const byHabit = new Map<string, DayOfHabit[]>()
  for (const { habit_id, days } of rows) {
    const ofHabit = byHabit.get(habit_id)
    if (ofHabit) ofHabit.push(...days)
    else byHabit.set(habit_id, [...days])
  }
  return byHabit
}

async function lockedHabit(tx: Transaction<Tables>, user: string, id: string): Promise<HabitRow> {
  const row = await lockHabit(tx, user, id)
  if (!row) throw new Error('A habit whose days are imported has to be there')
  return row
}

function keyOf({ user_id, id }: HabitKey) {
  return { user_id, habit_id: id }
}
