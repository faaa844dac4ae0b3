import * as z from 'zod/mini'

/**
 * What was focused in a range of days by what it was about, the most first. One with neither id is about nothing, or about
 * what is not there any more; then `name` is null, too. A to-do has the list that it stands in. The seconds of all are those
 * of the range.
 */
export const focusBySubjectSchema = z.object({
  subjects: z.array(
    z.object({
      todo_id: z.nullable(z.string()),
      habit_id: z.nullable(z.string()),
      name: z.nullable(z.string()),
      list_id: z.nullable(z.string()),
      seconds: z.int(),
    }),
  ),
})
export type FocusOfSubject = z.infer<typeof focusBySubjectSchema>['subjects'][number]

/** All that was ever focused on a to-do, in a range of days. */
export const focusedSecondsSchema = z.object({ seconds: z.int() })
