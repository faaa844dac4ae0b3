import * as z from 'zod/mini'

const countSchema = z.int().check(z.minimum(0))

/** What became of the rows of the file: in = created + there + changed + refused. */
export const importCountsSchema = z.object({
  in: countSchema,
  created: countSchema,
  there: countSchema,
  changed: countSchema,
  refused: countSchema,
})
export type ImportCounts = z.infer<typeof importCountsSchema>
