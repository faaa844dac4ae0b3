import * as z from 'zod/mini'
import type { ImportPiece } from '#features/your-data/exported-account.ts'
import { daySchema } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'
import { dayKey } from './reading.ts'

// Before an import, the server is asked which of its rows and days are new. Their ids are enough for that.

/** The most days in one request. */
const mostDays = 4_000
/** The most bytes of one request. It may have 65,536. */
const mostBytes = 50_000

const idsSchema = z.optional(z.array(rowIdSchema))
const daysSchema = z.optional(z.array(z.object({ habit_id: rowIdSchema, days: z.array(daySchema) })))
const entriesSchema = z.optional(
  z.array(z.object({ habit_id: rowIdSchema, days: z.array(z.object({ id: rowIdSchema, day: daySchema })) })),
)

const rowLists = {
  lists: idsSchema,
  todos: idsSchema,
  habits: idsSchema,
  pauses: idsSchema,
  focus_sessions: idsSchema,
}
const dayLists = { completions: daysSchema, skips: daysSchema, notes: daysSchema }

/** The ids of rows, and the days of habits, that an import would bring. */
export const previewSchema = z
  .strictObject({ ...rowLists, ...dayLists, amounts: entriesSchema })
  .check(
    z.refine(
      ({ completions = [], skips = [], notes = [], amounts = [] }) =>
        [...completions, ...skips, ...notes, ...amounts].reduce((sum, { days }) => sum + days.length, 0) <=
        mostDays,
      { path: ['completions'], message: `Expected at most ${mostDays.toLocaleString('en')} days at once` },
    ),
  )
export type ImportPreview = z.infer<typeof previewSchema>

/** What of it is not there: rows by their ids, and days of habits of which something is not there. */
export const newRowsSchema = z.object({
  rows: z.array(z.string()),
  days: z.array(z.object({ habit_id: z.string(), days: z.array(daySchema) })),
})
export type NewRows = z.infer<typeof newRowsSchema>

/** The requests that ask about all of the pieces. */
export function previewsOf(pieces: readonly ImportPiece[]): ImportPreview[] {
  const previews: ImportPreview[] = []
  let preview: Record<string, unknown[]> = {}
  let [bytes, days] = [0, 0]
  for (const { list, entry, size, count } of pieces.flatMap(askedAbout)) {
    if (bytes > 0 && (bytes + size > mostBytes || days + count > mostDays)) {
      previews.push(previewSchema.parse(preview))
      preview = {}
      bytes = 0
      days = 0
    }
    preview[list] ??= []
    preview[list].push(entry)
    bytes += size
    days += count
  }
  if (bytes > 0) previews.push(previewSchema.parse(preview))
  return previews
}

interface Asked {
  list: string
  entry: unknown
  /** In bytes. */
  size: number
  count: number
}

function askedAbout(piece: ImportPiece): Asked[] {
  const ids = Object.keys(rowLists).flatMap((list) =>
    (piece[list as keyof typeof rowLists] ?? []).map(({ id }) => ({ list, entry: id, size: 40, count: 0 })),
  )
  const days = Object.keys(dayLists).flatMap((list) =>
    (piece[list as keyof typeof dayLists] ?? []).flatMap(({ habit_id, days }) =>
      inParts(days.map((each) => (typeof each === 'string' ? each : each.day))).map((part) => ({
        list,
        entry: { habit_id, days: part },
        size: 80 + 13 * part.length,
        count: part.length,
      })),
    ),
  )
  const amounts = (piece.amounts ?? []).flatMap(({ habit_id, days }) =>
    inParts(days).map((part) => ({
      list: 'amounts',
      entry: { habit_id, days: part.map(({ id, day }) => ({ id, day })) },
      size: 80 + 70 * part.length,
      count: part.length,
    })),
  )
  return [...ids, ...days, ...amounts]
}

/** A piece of an import may have more of them than fit here. */
function inParts<Entry>(entries: readonly Entry[]): Entry[][] {
  const most = 500
  return Array.from({ length: Math.ceil(entries.length / most) }, (_, nth) =>
    entries.slice(nth * most, (nth + 1) * most),
  )
}

/** All that is new, as a row of a reading names it (`targets`). */
export function targetsOfNew(answers: readonly NewRows[]): Set<string> {
  return new Set(
    answers.flatMap(({ rows, days }) => [
      ...rows,
      ...days.flatMap(({ habit_id, days }) => days.map((day) => dayKey(habit_id, day))),
    ]),
  )
}
