import type { Collection } from '#platform/sync/collections/collection.ts'
import { readKnown } from '#platform/wire/known-forms.ts'
import { type Import, importCollectionSchema, undoneSchema } from '../import.ts'
import { reasonOf, sendPatiently } from './send-patiently.ts'

/** The imports of the account, latest first. */
export const importCollection: Collection<Import> = {
  name: 'imports',
  path: '/api/imports',
  rows: (response) => readKnown(importCollectionSchema, response).imports,
}

/**
 * Undoes an import. Returns the import with the number of rows that were kept because they had changed since, or why it cannot be
 * undone.
 */
export async function undoImport(
  { account, reread }: { account: string; reread(): Promise<void> },
  id: string,
): Promise<{ undone: Import } | { problem: string }> {
  const { signal } = new AbortController()
  const result = await sendPatiently({ path: `/api/imports/${id}/undo`, json: '{}' }, account, signal)
  await reread()
  const undone = result.kind === 'done' ? undoneSchema.safeParse(result.body).data : undefined
  return undone ? { undone: undone.import } : { problem: reasonOf(result) }
}
