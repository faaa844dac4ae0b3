import * as z from 'zod/mini'

// Several changes in one request. The changes of one row are made in order, those of different rows in parallel.

/** The most changes in one request. */
export const maxChanges = 100

const changeSchema = z.strictObject({
  method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']),
  /** The path with its query. */
  path: z.string().check(z.maxLength(2_000)),
  body: z.optional(z.unknown()),
})

/** Each inner array holds the changes of one row. */
export const changesSchema = z.object({
  rows: z.array(z.array(changeSchema).check(z.minLength(1))).check(
    z.minLength(1),
    z.refine((rows) => rows.flat().length <= maxChanges, `Expected at most ${maxChanges} changes`),
  ),
})

/**
 * The response that each change would have got on its own, in the same order. A row's responses end with the first change that
 * failed; later changes of that row were not tried. `retry_after` is in seconds.
 */
export const changesResponseSchema = z.object({
  rows: z.array(
    z.array(z.object({ status: z.int(), body: z.unknown(), retry_after: z.optional(z.number()) })),
  ),
})
export type ChangeResponse = z.infer<typeof changesResponseSchema>['rows'][number][number]
