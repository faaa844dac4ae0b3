import * as z from 'zod/mini'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { textSchema } from '#platform/wire/text.ts'
import { importCountsSchema } from '../preview/import-counts.ts'

/** For how many days after it was made an import can be undone. */
export const undoableDays = 30

/** Says which import a request belongs to. Only the last request of an import has the counts. */
export const importOfPieceSchema = z.strictObject({
  id: rowIdSchema,
  source: z.string().check(z.regex(/^[a-z][a-z0-9-]{0,39}$/, 'Expected a name such as todoist')),
  /** The name of the file. */
  file: z.optional(textSchema('File', 200)),
  counts: z.optional(
    importCountsSchema.check(
      z.refine(
        ({ in: all, created, there, changed, refused }) => all === created + there + changed + refused,
        {
          path: ['in'],
          message: 'Expected what was created, there, changed and refused together',
        },
      ),
    ),
  ),
})

export type ImportOfPiece = z.infer<typeof importOfPieceSchema>

/** The number of rows by collection: 'todos', 'habits', 'completions'. */
export const amountsSchema = z.record(z.string(), z.int().check(z.minimum(0)))

/** An import as responses list it. */
export const importSchema = z.object({
  id: z.string(),
  /** The id of the app, 'todoist', or 'daymark' for a file exported from Daymark. */
  source: z.string(),
  file: z.nullable(z.string()),
  made_at: z.string(),
  /** Null while the import is in progress, and if it stopped before its end. */
  counts: z.nullable(importCountsSchema),
  /** The number of rows that the import added or restored, by collection. */
  added: amountsSchema,
  /** The instant until which the import can be undone. */
  undo_until: z.string(),
  /** When the import was undone; null if it was not. */
  undone_at: z.nullable(z.string()),
  /**
   * The number of rows that the undo kept because they had changed since the import, by collection; null if the import was not
   * undone.
   */
  kept: z.nullable(amountsSchema),
})
export type Import = z.infer<typeof importSchema>

export const importCollectionSchema = z.object({ imports: z.array(importSchema) })

export const undoneSchema = z.object({ import: importSchema })
