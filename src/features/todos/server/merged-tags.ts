import type { Instant } from '#platform/calendar/day.ts'
import { mostTags, sortedTags, tagKey } from '../tags.ts'

/** A tag was added to a to-do or removed from it. */
export interface TagPress {
  tag: string
  spelling: string
  is_on: 0 | 1
  changed_at: Instant
}

/** A tag was renamed or removed on all to-dos. */
export interface TagChange {
  tag: string
  renamed_to: string | null
  changed_at: Instant
}

/** The tags of a to-do, as everything that was done to them leaves them, in whichever order it arrived. */
export function mergedTags(presses: readonly TagPress[], changes: readonly TagChange[]): string[] {
  // Two devices may have added that many each. The others are shown again when some of these are removed.
  return sortedTags(replayed(presses, changes).values()).slice(0, mostTags)
}

/**
 * Does everything again in the order of the instants. Of the same instant, a tag that is added is renamed. Returns the spellings
 * by tag.
 */
export function replayed(
  presses: readonly TagPress[],
  changes: readonly TagChange[],
): ReadonlyMap<string, string> {
  const tags = new Map<string, string>()
  const inOrder = changes.toSorted(
    (one, other) => one.changed_at - other.changed_at || (one.tag < other.tag ? -1 : 1),
  )
  let next = 0
  const followBefore = (end: Instant) => {
    for (let change = inOrder[next]; change && change.changed_at < end; change = inOrder[++next]) {
      if (tags.delete(change.tag) && change.renamed_to !== null) {
        tags.set(tagKey(change.renamed_to), change.renamed_to)
      }
    }
  }
  for (const { tag, spelling, is_on, changed_at } of presses.toSorted(byInstant)) {
    followBefore(changed_at)
    if (is_on) tags.set(tag, spelling)
    else tags.delete(tag)
  }
  followBefore(Number.POSITIVE_INFINITY)
  return tags
}

export function byInstant(one: TagPress, other: TagPress): number {
  return one.changed_at - other.changed_at
}
