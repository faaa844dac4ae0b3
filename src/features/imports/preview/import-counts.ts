import * as z from 'zod/mini'

const countSchema = z.int().check(z.minimum(0))

/** How many rows of the file had each fate: in = created + there + changed + refused. */
export const importCountsSchema = z.object({
  in: countSchema,
  created: countSchema,
  there: countSchema,
  changed: countSchema,
  refused: countSchema,
})
export type ImportCounts = z.infer<typeof importCountsSchema>
