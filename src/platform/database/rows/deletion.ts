import type { Instant } from '#platform/calendar/day.ts'

// How deletions from several devices merge with all other changes to a row, for every kind of row: the last change decides
// whether the row exists. `docs/merging.md` describes it in full.

/** When the deletion of a row was changed that is being purged: nothing is later, and no clock has ever shown it. */
export const neverRestored: Instant = Number.MAX_SAFE_INTEGER

interface Deletable {
  updated_at: Instant
  /** null while it is not deleted */
  deleted_at: Instant | null
  deletion_changed_at: Instant
}

type DeletionChange = Partial<Pick<Deletable, 'deleted_at' | 'deletion_changed_at'>>

/** When a change was made, and whether it may restore a row that was deleted before it. */
export interface ChangeStamp {
  at: Instant
  revives?: boolean | undefined
}

/**
 * What a deletion changes in a row. A deletion older than another change to the row changes nothing: whoever deleted it did
 * not know about that later change. If the row is already deleted, only the instant of its deletion moves.
 */
export function deletionOf(row: Deletable, at: Instant): DeletionChange {
  if (row.deleted_at !== null) return at >= row.deletion_changed_at ? { deletion_changed_at: at } : {}
  return at >= row.updated_at ? { deleted_at: at, deletion_changed_at: at } : {}
}

/** What a restoration changes in a row: nothing if the row was deleted, or restored, later. */
export function restorationOf(row: Deletable, at: Instant): DeletionChange {
  return at >= row.deletion_changed_at ? { deleted_at: null, deletion_changed_at: at } : {}
}

/** Whether to store a change. A deleted row stores it too and stays deleted: a later restoration then includes it. */
export function acceptsChange(row: Deletable, { revives }: ChangeStamp): boolean {
  return row.deleted_at === null || revives === true
}

/** What any other change does to the deletion: a change made later undoes it. */
export function revivalOf(row: Deletable, { at }: ChangeStamp): DeletionChange {
  return row.deleted_at === null ? {} : restorationOf(row, at)
}
