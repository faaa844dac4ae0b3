import * as z from 'zod/mini'

// Several changes in one request. Those of one row are made in their order, those of different rows side by side.

/** Changes in one request, at most. */
export const mostChanges = 100

const changeSchema = z.strictObject({
  method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']),
  /** With its query. */
  path: z.string().check(z.maxLength(2_000)),
  body: z.optional(z.unknown()),
})

/** Each inner array holds the changes of one row. */
export const changesSchema = z.object({
  rows: z.array(z.array(changeSchema).check(z.minLength(1))).check(
    z.minLength(1),
    z.refine((rows) => rows.flat().length <= mostChanges, `Expected at most ${mostChanges} changes`),
  ),
})

/**
 * What each change alone would have been answered, in the same order. A row ends with the first change that was not made:
 * what follows it there was not tried. `retry_after`: seconds.
 */
export const changesAnswerSchema = z.object({
  rows: z.array(
    z.array(z.object({ status: z.int(), body: z.unknown(), retry_after: z.optional(z.number()) })),
  ),
})
export type AnsweredChange = z.infer<typeof changesAnswerSchema>['rows'][number][number]
