import * as z from 'zod/mini'
import type { Day } from '#platform/calendar/day.ts'
import type { Nones } from './known-forms.ts'
import { assembled, type Fields, nonesOf } from './synced-row.ts'

// How rows of one kind are exported to an account's file and imported from it. An import sends the file in pieces that each fit
// into one request. Each feature declares this once.

export interface FileRows {
  /** The schema of a row in the file. */
  row: z.ZodMiniType
  fields: Fields
  /** Replacements for values outside of `fields` that a newer build wrote in an unknown form (`known-forms.ts`). */
  nones?: Record<string, unknown>
  /** Files from an older build lack this collection. */
  mayBeMissing?: true
  /**
   * The collections of a piece that import the row, by name: one for the row itself, and one for each part of it that can be too
   * large to send with the row.
   */
  pieceCollections: Record<string, PieceCollection>
  /** Splits a row of the file into rows of the `pieceCollections`, so that each comes after the rows that it depends on. */
  split(row: unknown): Iterable<readonly [collection: string, row: object]>
  /** The lines that a person sees of a row before it is imported. */
  lines(row: unknown): readonly FileLine[]
}

/** A row of a file, or one day of a row, in the preview of an import. */
export interface FileLine {
  what: LineKind
  title: string
  /** The id of the row. */
  id: string
  day?: Day
}

/** The nouns by which a preview counts lines. Kinds of rows without their own noun are 'other'. */
export type LineKind = 'task' | 'subtask' | 'list' | 'habit' | 'day' | 'session' | 'other'

/** A row as it is written to the file. Long arrays are read only while they are written, a part at a time. */
export type RowToWrite<Row> = { [Field in keyof Row]: Row[Field] | ToRead<Row[Field]> }
type ToRead<Value> = NonNullable<Value> extends readonly unknown[] ? AsyncIterable<NonNullable<Value>> : never

export type PieceCollection = ImportedRows & PreviewedRows

/**
 * `asksFor`: what a preview asks the server about to tell which rows are new. This may be the rows' ids, the days of a habit, or
 * the ids of entries on such days. Left out for rows that mean nothing to a person.
 */
type PreviewedRows =
  | { asksFor?: undefined; row: z.ZodMiniType }
  | { asksFor: 'ids'; row: z.ZodMiniType<{ id: string }> }
  | { asksFor: 'days'; row: z.ZodMiniType<DaysOfHabit<Day | { day: Day }>> }
  | { asksFor: 'entries'; row: z.ZodMiniType<DaysOfHabit<{ id: string; day: Day }>> }

export interface DaysOfHabit<OfDay> {
  habit_id: string
  days: readonly OfDay[]
}

/** The functions are declared as methods, so that each implementation can take its own type of row. */
interface ImportedRows {
  /** The maximum number of rows in one piece of the import, and the message if there are more. */
  most?: readonly [count: number, problem: string]
  /** The singular noun, such as 'task'. */
  one: string
  /** How many items a row counts as; one if left out. */
  count?(row: unknown): number
  /** The days in a row, each with the name of its field. */
  days(row: unknown): readonly (readonly [field: string, day: Day | null])[]
  /** The schema of the server's response to a piece: how many rows were added, and how many deleted rows were restored. */
  response: z.ZodMiniType<{ added: number; restored?: number }>
}

/**
 * The server's response to a piece of an import: how many rows were new, and how many deleted rows were restored. All other rows
 * stay as they were.
 */
export const importCountsSchema = z.object({ added: z.int(), restored: z.int() })
/** The response for rows that cannot be deleted on their own, so that none is ever restored. */
export const addedSchema = z.object({ added: z.int() })

/** How to export and import rows that no other rows belong to. Their days may lie in the future. */
export function plainRowsInFiles<Collection extends string, Row extends z.ZodMiniType<{ id: string }>>(
  collection: Collection,
  {
    line,
    one,
    ...rows
  }: Pick<FileRows, 'fields' | 'mayBeMissing'> & {
    row: Row
    one: ImportedRows['one']
    /** How a row appears in the preview of an import. */
    line(row: z.output<Row>): Pick<FileLine, 'what' | 'title'>
  },
) {
  const { row } = rows
  const imported = { row, one, days: () => [], response: importCountsSchema, asksFor: 'ids' } as const
  return {
    ...rows,
    pieceCollections: assembled<Record<Collection, typeof imported>>({ [collection]: imported }),
    split: (row: z.output<Row> & object) => [[collection, row]] as const,
    lines: (row: z.output<Row>) => [{ ...line(row), id: row.id }],
  } satisfies FileRows
}

export function collectionsShape<Kinds extends Record<string, FileRows>>(
  kinds: Kinds,
): { [Collection in keyof Kinds]: z.ZodMiniArray<Kinds[Collection]['row']> } {
  return byName(kinds, ({ row, mayBeMissing }) =>
    mayBeMissing ? z._default(z.array(row), []) : z.array(row),
  )
}

/** The collections of an empty account. */
export function emptyCollections<Kinds extends Record<string, FileRows>>(
  kinds: Kinds,
): Record<keyof Kinds, never[]> {
  return assembled(Object.fromEntries(Object.keys(kinds).map((collection) => [collection, []])))
}

/** The replacements for values of an unknown form, by collection. */
export function nonesOfCollections(kinds: Record<string, FileRows>): Nones {
  return Object.fromEntries(
    Object.entries(kinds).map(([collection, { fields, nones }]) => [
      collection,
      { ...nonesOf(fields), ...nones },
    ]),
  )
}

export function pieceShape<Collections extends Record<string, PieceCollection>>(
  collections: Collections,
): { [Collection in keyof Collections]: z.ZodMiniOptional<z.ZodMiniArray<Collections[Collection]['row']>> } {
  return byName(collections, ({ row, most }) =>
    z.optional(most ? z.array(row).check(z.maxLength(...most)) : z.array(row)),
  )
}

export function responseShape<Collections extends Record<string, PieceCollection>>(
  collections: Collections,
): { [Collection in keyof Collections]: Collections[Collection]['response'] } {
  return byName(collections, ({ response }) => response)
}

function byName<Each, Whole>(all: Record<string, Each>, make: (each: Each) => z.ZodMiniType): Whole {
  return assembled(Object.fromEntries(Object.entries(all).map(([name, each]) => [name, make(each)])))
}
