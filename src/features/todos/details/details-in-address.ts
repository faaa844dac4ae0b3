import { rowIdSchema } from '#platform/wire/ids/row-id.ts'

/** Reads from the page's address which to-do has its details open. */
export function parseDetails(search: Record<string, unknown>): { task?: string | undefined } {
  return { task: rowIdSchema.safeParse(search.task).data }
}
