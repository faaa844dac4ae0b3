import * as z from 'zod/mini'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { textSchema } from '#platform/wire/text.ts'
import { importCountsSchema } from '../preview/import-counts.ts'

/** For so many days an import can be undone. */
export const undoableDays = 30

/** By what a piece of an import says which import it belongs to. The last one brings the counts. */
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

/** How many rows of each list of a piece: 'todos', 'habits', 'completions'. */
export const amountsSchema = z.record(z.string(), z.int().check(z.minimum(0)))

/** An import as it is listed, the latest first. */
export const importSchema = z.object({
  id: z.string(),
  /** 'todoist'; 'daymark' for a file of Daymark's own. */
  source: z.string(),
  file: z.nullable(z.string()),
  made_at: z.string(),
  /** Null while it is under way, and of one that stopped before its end. */
  counts: z.nullable(importCountsSchema),
  /** What it added or brought back, by list. */
  added: amountsSchema,
  /** Until when it can be undone. */
  undo_until: z.string(),
  /** Null while it was not undone. */
  undone_at: z.nullable(z.string()),
  /** What stayed when it was undone, since it was changed after the import. */
  kept: z.nullable(amountsSchema),
})
export type Import = z.infer<typeof importSchema>

export const importCollectionSchema = z.object({ imports: z.array(importSchema) })

export const undoneSchema = z.object({ import: importSchema })
