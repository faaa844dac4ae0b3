import * as z from 'zod/mini'

/**
 * Focused seconds in a range of days for each subject, the most first. One entry has neither id, and null as its `name`: it
 * collects the sessions without a subject and those with a deleted subject. `list_id` is the list of a to-do.
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

/** The seconds that were focused on a to-do in a range of days. */
export const focusedSecondsSchema = z.object({ seconds: z.int() })
