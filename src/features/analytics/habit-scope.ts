import { rowIdSchema } from '#platform/wire/row-id.ts'

/** Which habits a number counts: one, the daily ones, or all where neither is named. */
export interface HabitScope {
  habit?: string | undefined
  daily?: 1 | undefined
}

/** That of an address; whatever it does not say rightly it does not say. */
export function scopeInAddress(search: Record<string, unknown>): HabitScope {
  const habit = rowIdSchema.safeParse(search.habit).data
  return { habit, daily: habit === undefined && String(search.daily) === '1' ? 1 : undefined }
}
