import { type Compilable, type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import type { FocusedSession } from '#features/habits/amounts/amounts.ts'
import { amountsByDay, countedSessions, hasMinutes } from '#features/habits/amounts/minutes.ts'
import { entryOf, readSettles, type StoredEntry } from '#features/habits/amounts/server/entry-store.ts'
import type { HabitDays, Pause } from '#features/habits/rhythm/habit-track.ts'
import type { RhythmRow } from '#features/habits/rhythm/rhythm.ts'
import { readRhythmsByHabit } from '#features/habits/rhythm/server/rhythm-store.ts'
import type { Day, Instant } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import type { Tables } from '#platform/database/tables.ts'
import { readFirstFocused, readFirstFocusedSinceStart, readSessions } from './focused-session-store.ts'

// Reads what the rules need to know about many habits at once. With a query per habit, fifty habits would take fifty times as
// long as one.

/** The columns of a habit that are read. */
export type HabitOfDays = Pick<Tables['habits'], 'id' | 'start_day' | 'first_entry_day' | 'archived_at'>

/** The days to read. `to` is included; without `to`, days after today are read as well. */
export interface DaysToRead {
  from: Day
  to?: Day | undefined
}

/** What 'today' and 'this week' mean for the user. */
export interface UserTime {
  today: Day
  weekStart: WeekStart
  /** The day of an instant, by the person's time zone and day start. */
  dayAt(instant: Instant): Day
  /** The current instant, from which reminders are set. */
  now: Instant
  /** Locks and returns the time zone of the person's reminders: nobody else can change it until the write ends. */
  zoneIn(tx: Transaction<Tables>): Promise<string>
}

/** Decides where weeks begin and which day an instant belongs to. */
type Calendar = Pick<UserTime, 'weekStart' | 'dayAt'>

/** The days of a habit, and the entries and sessions behind its amounts. */
export interface ReadHabitDays {
  days: HabitDays
  entries: readonly StoredEntry[]
  /** The sessions on days whose target is in minutes. */
  sessions: readonly FocusedSession[]
}

/** Data that the caller has already read in the same write or snapshot. */
interface Known {
  pauses?: readonly PauseOfHabits[] | undefined
  startDays?: ReadonlyMap<string, Day> | undefined
}

/**
 * Days in `completions` that are still done. The condition is a literal, so that it matches the partial indexes of these days.
 * With a bound value for `done`, the query would bypass them and walk over every day that was ever undone.
 */
export const isDone = sql<SqlBool>`completions.done = 1`

/** Like `isDone`, for days in `completions` that are skipped. */
export const isSkipped = sql<SqlBool>`completions.skipped = 1`

/** The days of each of these habits, by its id. With `few`, each habit is looked up on its own. */
export async function readHabitDays(
  tx: Transaction<Tables>,
  user: string,
  habits: readonly HabitOfDays[],
  days: DaysToRead,
  calendar: Calendar,
  { few = false, ...known }: { few?: boolean } & Known = {},
): Promise<Map<string, ReadHabitDays>> {
  const read = await readUpTo(tx, user, habits, days, calendar, { few, ...known })
  if (!read) throw new Error('All days of habits were to be read')
  return read
}

/** Like `readHabitDays`, but undefined if the habits together have more than `most` entries or sessions. */
export async function readUpTo(
  tx: Transaction<Tables>,
  user: string,
  habits: readonly HabitOfDays[],
  { from, to }: DaysToRead,
  { weekStart, dayAt }: Calendar,
  { few, most, pauses: known, startDays }: { few: boolean; most?: number | undefined } & Known,
): Promise<Map<string, ReadHabitDays> | undefined> {
  const ids = few ? habits.map(({ id }) => id) : undefined
  const wanted = { user, habits: ids, from, to, limit: most === undefined ? undefined : most + 1 }
  // Asked for together, so that they are also sent together.
  const [rowsOf, done, skipped, entries, pauses] = await Promise.all([
    readRhythmsByHabit(tx, user, ids),
    doneDays(tx, wanted),
    skippedDays(tx, wanted),
    liveEntries(tx, wanted),
    known ?? readPauses(tx, user),
  ])
  if (most !== undefined && entries.length > most) return undefined
  const isCounting = habits.some(({ id }) => hasMinutes(rowsOf.get(id) ?? []))
  const [sessionsOf, firstFocused, settles] = await Promise.all([
    isCounting ? readSessions(tx, user, { from, to }, most) : noSessions,
    startDays ?? readFirstFocused(tx, user, rowsOf),
    readSettles(tx, user, entries),
  ])
  if (!sessionsOf) return undefined

  const doneOf = Map.groupBy(done, ({ habit_id }) => habit_id)
  const skippedOf = Map.groupBy(skipped, ({ habit_id }) => habit_id)
  const entriesOf = Map.groupBy(entries, ({ habit_id }) => habit_id)
  const pausesOf = Map.groupBy(pauses, ({ habit_id }) => habit_id)
  const pausesOfAll = pausesOf.get(null) ?? []
  return new Map(
    habits.map((habit) => {
      const { id, archived_at } = habit
      const rows = rowsOf.get(id) ?? []
      const entriesOfHabit = (entriesOf.get(id) ?? []).map((row) => entryOf(row, settles))
      const sessions = countedSessions(rows, sessionsOf.get(id) ?? [])
      const days: HabitDays = {
        rows,
        startDay: startDayOf(habit, firstFocused.get(id)),
        archivedOn: archived_at === null ? null : dayAt(archived_at),
        states: new Map([
          ...(doneOf.get(id) ?? []).map(({ day }) => [day, 'done'] as const),
          ...(skippedOf.get(id) ?? []).map(({ day }) => [day, 'skipped'] as const),
        ]),
        amounts: amountsByDay(entriesOfHabit, sessions),
        pauses: withOwn(pausesOfAll, pausesOf.get(id)),
        weekStart,
      }
      return [id, { days, entries: entriesOfHabit, sessions }]
    }),
  )
}

/** Which rows are read, as values or as placeholders of a compiled query. Without `habits`, those of all habits. */
interface WantedDays {
  user: Either<string>
  habits: readonly Either<string>[] | undefined
  from: Either<Day>
  to: Either<Day> | undefined
  limit: Either<number> | undefined
}

type Either<Value> = Value | RawBuilder<Value>

interface WantedValues extends WantedDays {
  user: string
  habits: readonly string[] | undefined
  from: Day
  to: Day | undefined
  limit: number | undefined
}

/** Compiles a query once for all habits and for a single one, with and without an end and a limit; for several each time. */
function compiledForShapes<Row>(build: (db: Kysely<Tables>, wanted: WantedDays) => Compilable<Row>) {
  type Values = { user: string; habit: string; from: Day; to: Day; limit: number }
  const compiled = new Map<string, (tx: Kysely<Tables>, values: Values) => Promise<Row[]>>()
  return async (tx: Kysely<Tables>, wanted: WantedValues): Promise<Row[]> => {
    const { user, habits, from, to = from, limit = 0 } = wanted
    const [habit = ''] = habits ?? []
    if (habits && habits.length !== 1) return (await tx.executeQuery(build(tx, wanted).compile())).rows
    const shape = [habits, wanted.to, wanted.limit].map((each) => each === undefined).join()
    const read =
      compiled.get(shape) ??
      compiledOnce<Values>()((db, param) =>
        build(db, {
          user: param('user'),
          habits: habits && [param('habit')],
          from: param('from'),
          to: wanted.to && param('to'),
          limit: wanted.limit === undefined ? undefined : param('limit'),
        }),
      )
    compiled.set(shape, read)
    return read(tx, { user, habit, from, to, limit })
  }
}

// Two queries that each use a partial index. Days that were reset are in neither index.
const doneDays = compiledForShapes((db, wanted) => completionsIn(db, wanted).where(isDone))
const skippedDays = compiledForShapes((db, wanted) => completionsIn(db, wanted).where(isSkipped))

function completionsIn(db: Kysely<Tables>, { user, habits, from, to }: WantedDays) {
  const days = db
    .selectFrom('completions')
    .select(['habit_id', 'day'])
    .where('user_id', '=', user)
    .where('day', '>=', from)
  const until = to === undefined ? days : days.where('day', '<=', to)
  return habits ? until.where('habit_id', 'in', habits) : until
}

const liveEntries = compiledForShapes((db, { user, habits, from, to, limit }) => {
  const entries = db
    .selectFrom('amounts')
    .select(['habit_id', 'id', 'day', 'value', 'is_set', 'created_at'])
    .where('user_id', '=', user)
    .where('deleted_at', 'is', null)
    .where('day', '>=', from)
  const until = to === undefined ? entries : entries.where('day', '<=', to)
  const ofHabits = habits ? until.where('habit_id', 'in', habits) : until
  return limit === undefined ? ofHabits : ofHabits.limit(limit)
})

function withOwn(ofAll: readonly Pause[], own: readonly Pause[] | undefined): readonly Pause[] {
  return own ? [...ofAll, ...own] : ofAll
}

const noSessions: ReadonlyMap<string, FocusedSession[]> = new Map()

/** The day on which a habit begins: the chosen day, or an earlier day that was entered or focused on since that choice. */
export function startDayOf(
  { start_day, first_entry_day }: Pick<HabitOfDays, 'start_day' | 'first_entry_day'>,
  focused: Day | undefined,
): Day {
  const days = [start_day, first_entry_day ?? start_day, focused ?? start_day]
  return days.reduce((first, day) => (day < first ? day : first))
}

/**
 * The first day with an amount for each of these habits since it began. Before that day, nobody knows whether a limit was kept.
 */
export async function readFirstEntries(
  tx: Transaction<Tables>,
  user: string,
  habits: readonly { id: string; rows: readonly RhythmRow[]; startDay: Day }[],
): Promise<Map<string, Day | null>> {
  if (habits.length === 0) return new Map()
  const rows = await tx
    .selectFrom('habits')
    .select((habit) => [
      'habits.id',
      // Looked up for each habit: a grouped minimum would walk over every entry.
      habit
        .selectFrom('amounts')
        .select('amounts.day')
        .whereRef('amounts.user_id', '=', 'habits.user_id')
        .whereRef('amounts.habit_id', '=', 'habits.id')
        .where('amounts.deleted_at', 'is', null)
        .where((eb) => eb('amounts.day', '>=', eb.fn.coalesce('habits.first_entry_day', 'habits.start_day')))
        .orderBy('amounts.day')
        .limit(1)
        .as('first'),
    ])
    .where('habits.user_id', '=', user)
    .where(
      'habits.id',
      'in',
      habits.map(({ id }) => id),
    )
    .execute()
  const focused = await readFirstFocusedSinceStart(tx, user, habits)
  return new Map(rows.map(({ id, first }) => [id, earlierOf(first, focused.get(id))]))
}

function earlierOf(one: Day | null, other: Day | undefined): Day | null {
  if (one === null || other === undefined) return one ?? other ?? null
  return one < other ? one : other
}

/** The days of one habit. `before` may hold other days of the habit that were read in the same write. */
export async function readDaysOf(
  tx: Transaction<Tables>,
  row: HabitOfDays & { user_id: string },
  days: DaysToRead,
  calendar: Calendar,
  before?: HabitDays,
): Promise<ReadHabitDays> {
  const known = before && {
    pauses: before.pauses.map((pause) => ({ ...pause, habit_id: row.id })),
    startDays: new Map([[row.id, before.startDay]]),
  }
  const options = { few: true, ...known }
  const read = (await readHabitDays(tx, row.user_id, [row], days, calendar, options)).get(row.id)
  if (!read) throw new Error('The days of a habit that was not read')
  return read
}

/** A pause of one habit, or of all habits if `habit_id` is null. */
export type PauseOfHabits = Pause & { habit_id: string | null }

/**
 * The pauses of each habit and of all habits. Old pauses are included, since stored sums of old days name the pauses that they
 * depend on.
 */
export async function readPauses(tx: Transaction<Tables>, user: string): Promise<PauseOfHabits[]> {
  return livePauses(tx, { user })
}

const livePauses = compiledOnce<{ user: string }>()((db, param) =>
  db
    .selectFrom('pauses')
    .select(['habit_id', 'from_day', 'to_day'])
    .where('user_id', '=', param('user'))
    .where('deleted_at', 'is', null),
)
