import { rowIdSchema } from '#platform/wire/ids/row-id.ts'

/**
 * Which habits a number counts: the one with the id `habit`; with `daily`, those that were due on a particular day
 * (`dueOnTheDay`); all if neither is set.
 */
export interface HabitScope {
  habit?: string | undefined
  daily?: 1 | undefined
}

/** Reads the scope from the URL's search parameters; ignores invalid ones. */
export function parseHabitScope(search: Record<string, unknown>): HabitScope {
  const habit = rowIdSchema.safeParse(search.habit).data
  return { habit, daily: habit === undefined && String(search.daily) === '1' ? 1 : undefined }
}
