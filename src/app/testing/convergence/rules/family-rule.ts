import { type Change, childrenEver, clockTolerance, type Fields, type ReportedChange } from './rule.ts'

// The rules for subtasks, implemented differently from the product.

type Shown = (row: string) => Fields | undefined

interface Standing {
  id: string
  parent_id: string | null
}

/**
 * Lists how the final state violates the effects of deleting and completing a parent, where the order of the changes is
 * certain.
 */
export function familyViolations(
  changes: readonly Change[],
  reported: readonly ReportedChange[],
  shown: Shown,
): string[] {
  const unsaved = new Set(reported.map(({ change }) => change))
  const found: string[] = []
  for (const [parent, children] of childrenEver(changes)) {
    const ofParent = changes.filter(({ row }) => row === parent)
    const neverBelow = ofParent.every(({ fields }) => (fields.get('parent_id') ?? null) === null)
    if (!neverBelow || ofParent.length === 0) continue
    for (const row of children) {
      const own = changes.filter((change) => change.row === row)
      const fields = shown(row)
      if (fields?.get('parent_id') !== parent) continue
      if ([...own, ...ofParent].some(({ number }) => unsaved.has(number))) continue
      const deletion = lastOf(ofParent)
      if (deletion?.kind === 'delete' && !shown(parent) && isSurelyLast(deletion, own)) {
        found.push(`${row} is shown, though its parent ${parent} was deleted after all of its changes`)
      }
      const completion = lastOf(ofParent.filter((change) => change.fields.has('completed')))
      const others = own.filter((change) => change.fields.has('completed') || change.fields.has('parent_id'))
      if (completion?.fields.get('completed') !== 1 || !isSurelyLast(completion, others)) continue
      if (fields.get('completed') !== 1)
        found.push(`${row} is open, though its parent ${parent} was completed`)
    }
  }
  return found
}

/** The expected parent of each row: a parent counts only if it exists and is not a subtask itself. */
export function expectedStanding(rows: readonly Standing[]): Map<string, string | undefined> {
  const onTop = new Set(rows.filter(({ parent_id }) => parent_id === null).map(({ id }) => id))
  return new Map(
    rows.map(({ id, parent_id }) => [id, parent_id !== null && onTop.has(parent_id) ? parent_id : undefined]),
  )
}

function lastOf(changes: readonly Change[]): Change | undefined {
  return changes.toSorted((one, other) => one.at - other.at).at(-1)
}

function isSurelyLast(one: Change, others: readonly Change[]): boolean {
  return others.every(({ at }) => one.earliest > at + clockTolerance)
}
