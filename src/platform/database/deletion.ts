import type { Instant } from '#platform/calendar/day.ts'

// How deletions from several devices merge, whatever it is that is deleted. A deletion is a row with its instant until it
// is purged, and being deleted has the instant of its last change: what is earlier is let go, and of two with the same
// instant the one that arrives later stays.

interface Deletable {
  updated_at: Instant
  /** null while it is not deleted */
  deleted_at: Instant | null
  deletion_changed_at: Instant
}

type DeletionChange = Partial<Pick<Deletable, 'deleted_at' | 'deletion_changed_at'>>

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
