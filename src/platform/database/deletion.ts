import type { Instant } from '#platform/calendar/day.ts'

// How deletions from several devices merge with everything else that is done to a row, whatever it is that is deleted:
// what was done last says whether the row is there. `docs/merging.md` has the whole of it.

interface Deletable {
  updated_at: Instant
  /** null while it is not deleted */
  deleted_at: Instant | null
  deletion_changed_at: Instant
}

type DeletionChange = Partial<Pick<Deletable, 'deleted_at' | 'deletion_changed_at'>>

/** When a change was made, and whether it may bring back a row that was deleted before. */
export interface Made {
  at: Instant
  revives?: boolean | undefined
}

/**
 * What a deletion changes of a row. One that is older than another change of the row changes nothing: whoever deleted it
 * did not know what was changed later. Of what is deleted already only the instant moves.
 */
export function deletionOf(row: Deletable, at: Instant): DeletionChange {
  if (row.deleted_at !== null) return at >= row.deletion_changed_at ? { deletion_changed_at: at } : {}
  return at >= row.updated_at ? { deleted_at: at, deletion_changed_at: at } : {}
}

/** What taking a deletion back changes of a row: nothing when it was deleted, or restored, later than that. */
export function restorationOf(row: Deletable, at: Instant): DeletionChange {
  return at >= row.deletion_changed_at ? { deleted_at: null, deletion_changed_at: at } : {}
}

/** Whether a change is stored. Of a deleted row too, though it stays deleted: what brings it back later finds it there. */
export function takesChange(row: Deletable, { revives }: Made): boolean {
  return row.deleted_at === null || revives === true
}

/** What any change does about a deletion: one that was made later takes it back. */
export function revivalOf(row: Deletable, { at }: Made): DeletionChange {
  return row.deleted_at === null ? {} : restorationOf(row, at)
}
