import * as z from 'zod/mini'
import { daysOf, type ImportPiece, pieceCollections } from '#features/your-data/exported-account.ts'
import { type Day, daySchema } from '#platform/calendar/day.ts'
import type { DaysOfHabit, PieceCollection } from '#platform/wire/file-rows.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { assembled } from '#platform/wire/synced-row.ts'
import { dayKey } from '../reading/reading.ts'

// Before an import, the device asks the server which of its rows and days are new. The request contains only their ids.

/** The most days that one request may ask about. */
const mostDays = 4_000
/** The most bytes of one request. The server accepts 65,536. */
const mostBytes = 50_000

type Asked = NonNullable<PieceCollection['asksFor']>

interface Question {
  entry: unknown
  /** The entry's size in bytes. */
  size: number
  days: number
}

/** `about` is a method rather than a function property, so that each kind of question can take its own type of row. */
interface QuestionKind {
  schema: z.ZodMiniType
  about(row: unknown): Question[]
}

const questionKinds = {
  ids: {
    schema: z.array(rowIdSchema),
    about: ({ id }: { id: string }) => [{ entry: id, size: 40, days: 0 }],
  },
  days: {
    schema: z.array(z.object({ habit_id: rowIdSchema, days: z.array(daySchema) })),
    about: ({ habit_id, days }: DaysOfHabit<Day | { day: Day }>) =>
      inParts(days.map((each) => (typeof each === 'string' ? each : each.day))).map((part) => ({
        entry: { habit_id, days: part },
        size: 80 + 13 * part.length,
        days: part.length,
      })),
  },
  entries: {
    schema: z.array(
      z.object({ habit_id: rowIdSchema, days: z.array(z.object({ id: rowIdSchema, day: daySchema })) }),
    ),
    about: ({ habit_id, days }: DaysOfHabit<{ id: string; day: Day }>) =>
      inParts(days).map((part) => ({
        entry: { habit_id, days: part.map(({ id, day }) => ({ id, day })) },
        size: 80 + 70 * part.length,
        days: part.length,
      })),
  },
} satisfies Record<Asked, QuestionKind>

/** The collections that a preview asks about, each with its kind of question. */
const askedCollections = Object.entries<PieceCollection>(pieceCollections).flatMap(
  ([collection, { asksFor }]) => {
    const kinds: Record<Asked, QuestionKind> = questionKinds
    return asksFor ? [{ collection, ...kinds[asksFor] }] : []
  },
)

type Collections = typeof pieceCollections
type AskedOf<Collection extends keyof Collections> = Collections[Collection] extends {
  asksFor: infer Each extends Asked
}
  ? Each
  : never
type PreviewShape = {
  [Collection in keyof Collections as AskedOf<Collection> extends never
    ? never
    : Collection]: z.ZodMiniOptional<(typeof questionKinds)[AskedOf<Collection>]['schema']>
}

const previewShape: PreviewShape = assembled(
  Object.fromEntries(askedCollections.map(({ collection, schema }) => [collection, z.optional(schema)])),
)

/** A preview request: the ids of rows and the days of habits that the import would add. */
export const previewSchema = z.strictObject(previewShape).check(
  z.refine((asked) => daysOf(entriesIn(asked)) <= mostDays, {
    path: ['completions'],
    message: `Expected at most ${mostDays.toLocaleString('en')} days at once`,
  }),
)
export type ImportPreview = z.infer<typeof previewSchema>

/** The entries of the request that are about days. */
function entriesIn(asked: ImportPreview): object[] {
  return Object.values(asked)
    .flat()
    .filter((entry) => typeof entry === 'object')
}

/** What the account lacks: rows by id, and the days of each habit on which something is missing. */
export const newRowsSchema = z.object({
  rows: z.array(z.string()),
  days: z.array(z.object({ habit_id: z.string(), days: z.array(daySchema) })),
})
export type NewRows = z.infer<typeof newRowsSchema>

/** The requests that ask about all rows of an import. */
export function previewsOf(pieces: readonly ImportPiece[]): ImportPreview[] {
  const previews: ImportPreview[] = []
  let preview: Record<string, unknown[]> = {}
  let [bytes, count] = [0, 0]
  for (const { collection, entry, size, days } of pieces.flatMap(askedAbout)) {
    if (bytes > 0 && (bytes + size > mostBytes || count + days > mostDays)) {
      previews.push(previewSchema.parse(preview))
      preview = {}
      bytes = 0
      count = 0
    }
    preview[collection] ??= []
    preview[collection].push(entry)
    bytes += size
    count += days
  }
  if (bytes > 0) previews.push(previewSchema.parse(preview))
  return previews
}

function askedAbout(piece: ImportPiece): (Question & { collection: string })[] {
  const { preferences: _, ...collections } = piece
  const byName: Record<string, readonly unknown[] | undefined> = collections
  return askedCollections.flatMap(({ collection, about }) =>
    (byName[collection] ?? []).flatMap((row) => about(row)).map((question) => ({ collection, ...question })),
  )
}

/** Splits entries into groups that fit into one request each. */
function inParts<Entry>(entries: readonly Entry[]): Entry[][] {
  const most = 500
  return Array.from({ length: Math.ceil(entries.length / most) }, (_, nth) =>
    entries.slice(nth * most, (nth + 1) * most),
  )
}

/** What an account lacks if everything that it is asked about is new to it. */
export function everythingIn(asked: ImportPreview): NewRows {
  const entries = Object.values<readonly AskedEntry[] | undefined>(asked).flatMap((some) => some ?? [])
  return {
    rows: entries.filter((entry) => typeof entry === 'string'),
    days: entries
      .filter((entry) => typeof entry === 'object')
      .map(({ habit_id, days }) => ({
        habit_id,
        days: days.map((each) => (typeof each === 'string' ? each : each.day)),
      })),
  }
}

type AskedEntry = string | DaysOfHabit<Day | { day: Day }>

/** The ids of all new rows and the keys of all new days, written like `targets` of a file that was read. */
export function targetsOfNew(responses: readonly NewRows[]): Set<string> {
  return new Set(
    responses.flatMap(({ rows, days }) => [
      ...rows,
      ...days.flatMap(({ habit_id, days }) => days.map((day) => dayKey(habit_id, day))),
    ]),
  )
}
