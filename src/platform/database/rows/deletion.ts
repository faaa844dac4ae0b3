import type { Instant } from '#platform/calendar/day.ts'

// How deletions from several devices merge with other changes to a row, for every kind of row: the last change decides whether
// the row exists. `docs/merging.md` describes it in full.

/**
 * The `deletion_changed_at` of a row that is being purged. No instant is later, and no clock has ever shown it, so nothing
 * restores the row.
 */
export const neverRestored: Instant = Number.MAX_SAFE_INTEGER

interface Deletable {
  updated_at: Instant
  /** When the row was last deleted; null while it exists. */
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
 * What a deletion changes in a row. A deletion older than another change to the row changes nothing: the person who deleted it
 * did not know about that change. If the row is already deleted, only the instant of its deletion moves.
 */
export function deletionOf(row: Deletable, at: Instant): DeletionChange {
  if (row.deleted_at !== null) return at >= row.deletion_changed_at ? { deletion_changed_at: at } : {}
  return at >= row.updated_at ? { deleted_at: at, deletion_changed_at: at } : {}
}

/** What a restoration changes in a row. Nothing if the row was deleted or restored later. */
export function restorationOf(row: Deletable, at: Instant): DeletionChange {
  return at >= row.deletion_changed_at ? { deleted_at: null, deletion_changed_at: at } : {}
}

/**
 * Whether to store a change. A deleted row accepts only a change that may restore it. If the row stays deleted anyway, a later
 * restoration includes the change.
 */
export function acceptsChange(row: Deletable, { revives }: ChangeStamp): boolean {
  return row.deleted_at === null || revives === true
}

/** What an edit does to the deletion of a row: an edit made later than the deletion restores the row. */
export function revivalOf(row: Deletable, { at }: ChangeStamp): DeletionChange {
  return row.deleted_at === null ? {} : restorationOf(row, at)
}
