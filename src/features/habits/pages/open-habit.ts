import { rowIdSchema } from '#platform/wire/ids/row-id.ts'

/** The search parameters of the habits page: the habit that is open at first. */
export function parseOpenHabit(search: Record<string, unknown>): { habit?: string | undefined } {
  return { habit: rowIdSchema.safeParse(search.habit).data }
}
