import { rowIdSchema } from '#platform/wire/ids/row-id.ts'

/** What the address of the habits may contain: the one that is opened at first. */
export function parseOpenHabit(search: Record<string, unknown>): { habit?: string | undefined } {
  return { habit: rowIdSchema.safeParse(search.habit).data }
}
