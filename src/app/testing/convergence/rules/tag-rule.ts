import type { Instant } from '#platform/calendar/day.ts'
import type { Change, Fields, ReportedChange } from './rule.ts'

// The rule by which tags merge, implemented differently from the product: each change is applied once, to all to-dos, in the
// order of the instants. Renaming or removing a tag everywhere is a change to a pseudo row, named after the tag.

/** The field of a tag in a to-do, and the name of the pseudo row for changing the tag everywhere. */
export function tagField(tag: string): string {
  return `tag ${tag}`
}

/** The field for the new name of a tag everywhere; null if the tag was removed. */
export const renamedTo = 'renamed to'

type Tagging = Change & { touches: Fields }

/** Lists how the final tags of the to-dos violate the rule, where the order of the changes is certain. */
export function tagViolations(
  changes: readonly Change[],
  reported: readonly ReportedChange[],
  tagsOf: ReadonlyMap<string, readonly string[]>,
): string[] {
  const unsaved = new Set(reported.map(({ change }) => change))
  const everywhere = changes.flatMap(tagging).filter(({ fields }) => fields.has(renamedTo))
  if (everywhere.some(({ number }) => unsaved.has(number))) return []
  return [...tagsOf].flatMap(([row, tags]) => {
    const own = changes.filter((change) => change.row === row)
    // Changes reported as not saved may have been made all the same, so the expected tags are not certain.
    if (own.some(({ number }) => unsaved.has(number))) return []
    const inOrder = [...own.flatMap(tagging), ...everywhere].toSorted((one, other) => one.at - other.at)
    if (inOrder.some((change, place) => overlaps(inOrder[place - 1], change))) return []
    const expected = replay(inOrder)
    if (expected.join() === tags.join()) return []
    const made = inOrder.map(({ number, at, touches }) => `#${number} ${at} ${JSON.stringify([...touches])}`)
    return [`${row} has [${tags.join()}], not [${expected.join()}], by ${made.join('; ')}`]
  })
}

function tagging(change: Change): Tagging[] {
  const touches = new Map(
    [...change.fields].filter(([name]) => name === renamedTo || name.startsWith('tag ')),
  )
  return touches.size > 0 ? [{ ...change, touches }] : []
}

/**
 * Whether the server may have applied two changes in the other order: a change in the server's future counts as made when it
 * arrives.
 */
function overlaps(before: Change | undefined, change: Change): boolean {
  const end: Instant = before?.at ?? Number.NEGATIVE_INFINITY
  return change.earliest <= end
}

function replay(changes: readonly Tagging[]): string[] {
  const tags = new Set<string>()
  for (const { row, touches } of changes) {
    for (const [name, value] of touches) {
      if (name !== renamedTo) {
        if (value === true) tags.add(name)
        else tags.delete(name)
      } else if (tags.delete(row) && typeof value === 'string') tags.add(tagField(value))
    }
  }
  return [...tags].map((name) => name.slice('tag '.length)).toSorted()
}
