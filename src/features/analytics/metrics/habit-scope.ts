import { rowIdSchema } from '#platform/wire/ids/row-id.ts'

/** Which habits a number counts: one, those that were due on the very day (`dueOnTheDay`), or all if neither is set. */
export interface HabitScope {
  habit?: string | undefined
  daily?: 1 | undefined
}

/** Reads the scope from an address; ignores invalid parts. */
export function parseHabitScope(search: Record<string, unknown>): HabitScope {
  const habit = rowIdSchema.safeParse(search.habit).data
  return { habit, daily: habit === undefined && String(search.daily) === '1' ? 1 : undefined }
}
