import { rowIdSchema } from '#platform/wire/ids/row-id.ts'

/** What the address of a list of to-dos may contain: the one whose details are shown. */
export function parseDetails(search: Record<string, unknown>): { task?: string | undefined } {
  return { task: rowIdSchema.safeParse(search.task).data }
}
