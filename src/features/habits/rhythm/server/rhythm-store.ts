import type { Kysely, Selectable, Transaction } from 'kysely'
import type * as z from 'zod/mini'
import type { Day, Instant } from '#platform/calendar/day.ts'
import { compiledOnce } from '#platform/database/compiled-once.ts'
import { inBatches } from '#platform/database/pacing/batches.ts'
import { TooManyRows } from '#platform/database/row-limits.ts'
import { changedSince, keepAsItIs } from '#platform/database/rows/later-changes.ts'
import type { Adding } from '#platform/database/rows/write-within-limits.ts'
import type { Tables } from '#platform/database/tables.ts'
import { storedJson } from '#platform/wire/stored-json.ts'
import type { Frequency, Rhythm, RhythmRow, Target } from '../rhythm.ts'
import { rhythmSchema, targetSchema } from '../rhythm-schema.ts'
import { readRhythms, type WrittenRhythm } from '../written-rhythm.ts'

// A row holds the rhythm and target from a day on; each part has the instant of its last change. Whether a written frequency
// changes the rhythm is decided only when rows are read (`written-rhythm.ts`).

export const rhythmLimit = {
  table: 'rhythms',
  most: 10_000,
  many: 'changes of the rhythms of habits',
  room: 'Deleting habits frees up space after 30 days.',
} as const

export interface RhythmChange {
  rhythm?: Rhythm | undefined
  /** Sent by clients of the specification; `rhythm` takes precedence. */
  frequency?: Frequency | undefined
  target?: Target | undefined
}

/** A row in which nothing has been written. Its instants are 0, so that any change is later. */
const unwritten = { rhythm: null, rhythm_at: 0, frequency: null, frequency_at: 0, target: null, target_at: 0 }

/** Stores rhythm, frequency and target from a day on, each only if it has no later change. The habit must be locked. */
export async function writeRhythm(
  tx: Transaction<Tables>,
  adding: Adding,
  { user_id, id }: { user_id: string; id: string },
  from_day: Day,
  { rhythm, frequency, target }: RhythmChange,
  at: Instant,
): Promise<void> {
  const stored = await tx
    .selectFrom('rhythms')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('habit_id', '=', id)
    .where('from_day', '=', from_day)
    .executeTakeFirst()
  const before = stored ?? unwritten
  const later = {
    ...(rhythm !== undefined &&
      !outdoes('rhythm', before, JSON.stringify(rhythm), at) && {
        rhythm: JSON.stringify(rhythm),
        rhythm_at: at,
      }),
    ...(rhythm === undefined &&
      frequency !== undefined &&
      !outdoes('frequency', before, frequency, at) && { frequency, frequency_at: at }),
    ...(target !== undefined &&
      !outdoes('target', before, JSON.stringify(target), at) && {
        target: JSON.stringify(target),
        target_at: at,
      }),
  }
  if (Object.keys(later).length === 0) return
  if (!stored) adding.rows(rhythmLimit, 1)
  await tx
    .insertInto('rhythms')
    .values({ user_id, habit_id: id, from_day, ...unwritten, ...later })
    .onConflict((conflict) => conflict.columns(['user_id', 'habit_id', 'from_day']).doUpdateSet(later))
    .execute()
  if (!stored) await refuseManyRhythms(tx, user_id, [id])
}

type Parts = Pick<
  Selectable<Tables['rhythms']>,
  'rhythm' | 'rhythm_at' | 'frequency' | 'frequency_at' | 'target' | 'target_at'
>

/** Whether the stored part was changed later than `at`, so that it wins over the wanted value. */
function outdoes(
  part: 'rhythm' | 'frequency' | 'target',
  stored: Parts,
  wanted: string | null,
  at: Instant,
): boolean {
  if (!changedSince(stored[`${part}_at`], at)) return false
  if (stored[part] !== wanted) keepAsItIs(part)
  return true
}

/** The most changes that one habit can have: each time the habit is read, all of them are read and sorted. */
const mostOfOneHabit = 1_000

/** Throws TooManyRows if one of these habits has too many rows. Call it after rows are added. */
export async function refuseManyRhythms(
  tx: Transaction<Tables>,
  user: string,
  habits: Iterable<string>,
): Promise<void> {
  for (const batch of inBatches([...habits])) {
    const tooMany = await tx
      .selectFrom('rhythms')
      .select('habit_id')
      .where('user_id', '=', user)
      .where('habit_id', 'in', batch)
      .groupBy('habit_id')
      .having(({ fn }) => fn.countAll(), '>', mostOfOneHabit)
      .execute()
    if (tooMany.length === 0) continue
    const most = mostOfOneHabit.toLocaleString('en')
    throw new TooManyRows(
      `A habit can have up to ${most} changes of its rhythm and target. Start a new habit instead.`,
    )
  }
}

/** The rhythms and targets of a habit, with the days from which they hold. */
export async function readRhythmsOf(
  db: Kysely<Tables>,
  { user_id, id }: { user_id: string; id: string },
): Promise<RhythmRow[]> {
  const rows = await rhythmsOfHabit(db, { user: user_id, habit: id })
  return readRhythms(rows.map(writtenRhythmOf))
}

const rhythmsOfHabit = compiledOnce<{ user: string; habit: string }>()((db, param) =>
  db
    .selectFrom('rhythms')
    .select(['from_day', 'rhythm', 'rhythm_at', 'frequency', 'frequency_at', 'target'])
    .where('user_id', '=', param('user'))
    .where('habit_id', '=', param('habit')),
)

/** The rhythms of all habits, or of those with the given ids, by habit. */
export async function readRhythmsByHabit(
  tx: Transaction<Tables>,
  user: string,
  ids?: readonly string[],
): Promise<Map<string, RhythmRow[]>> {
  const [only, another] = ids ?? []
  if (only !== undefined && another === undefined) {
    const rows = await readRhythmsOf(tx, { user_id: user, id: only })
    return new Map(rows.length > 0 ? [[only, rows]] : [])
  }
  const rows = ids
    ? await tx
        .selectFrom('rhythms')
        .select(['habit_id', 'from_day', 'rhythm', 'rhythm_at', 'frequency', 'frequency_at', 'target'])
        .where('user_id', '=', user)
        .where('habit_id', 'in', ids)
        .execute()
    : await rhythmsOfAll(tx, { user })
  const written = Map.groupBy(rows, ({ habit_id }) => habit_id)
  return new Map([...written].map(([id, ofHabit]) => [id, readRhythms(ofHabit.map(writtenRhythmOf))]))
}

const rhythmsOfAll = compiledOnce<{ user: string }>()((db, param) =>
  db
    .selectFrom('rhythms')
    .select(['habit_id', 'from_day', 'rhythm', 'rhythm_at', 'frequency', 'frequency_at', 'target'])
    .where('user_id', '=', param('user')),
)

type RhythmsRow = Selectable<Tables['rhythms']>

function writtenRhythmOf({
  rhythm,
  target,
  ...row
}: Omit<RhythmsRow, 'user_id' | 'habit_id' | 'target_at'>): WrittenRhythm {
  return {
    ...row,
    rhythm: rhythm === null ? null : parsedOnce(parsedRhythms, rhythm, rhythmSchema),
    target: target === null ? null : parsedOnce(parsedTargets, target, targetSchema),
  }
}

/**
 * Parses each text only once, since rows are read often and there are few different texts. An unreadable text becomes null, which
 * means: as in the row before.
 */
function parsedOnce<Schema extends z.ZodMiniType>(
  parsed: Map<string, z.output<Schema> | null>,
  text: string,
  schema: Schema,
): z.output<Schema> | null {
  const known = parsed.get(text)
  if (known !== undefined) return known
  const value = storedJson(schema, text) ?? null
  if (parsed.size >= mostParsed) parsed.clear()
  parsed.set(text, value)
  return value
}

const mostParsed = 1_000
const parsedRhythms = new Map<string, Rhythm | null>()
const parsedTargets = new Map<string, Target | null>()
