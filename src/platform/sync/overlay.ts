import type { List } from './list.ts'
import type { AnyWrite, Write } from './write.ts'

/** What laying a write over rows needs of it. */
export interface Laid {
  id: string
  write: string
  version: number
  vars: unknown
}

/**
 * Answers the rows with the queued writes laid over them. It remembers its last answer: a write more costs one `apply`,
 * not one for each that waits.
 */
export function createOverlay<Row>(list: List<Row>, writes: ReadonlyMap<string, AnyWrite>) {
  let lastBase: readonly Row[] | undefined
  let lastLaid: readonly Laid[] = []
  let lastRows: Row[] = []

  return (base: readonly Row[], laid: readonly Laid[]): Row[] => {
    const goesOn = base === lastBase && lastLaid.every((entry, index) => entry.id === laid[index]?.id)
    const rest = goesOn ? laid.slice(lastLaid.length) : laid
    let rows = goesOn ? lastRows : [...base]
    for (const entry of rest) rows = apply(rows, entry)
    lastBase = base
    lastLaid = laid
    lastRows = rows
    return rows
  }

  function apply(rows: Row[], entry: Laid): Row[] {
    const write = knownWrite(writes, entry)
    if (!write || !isOf(write, list)) return rows
    try {
      return write.apply(rows, entry.vars)
    } catch (error) {
      // Variables of a shape that this build did not expect: the sender tells of it, the list stays readable.
      console.warn(`Could not show a queued ${entry.write}`, error)
      return rows
    }
  }
}

/** The declared write of an entry, unless it is of another version than this build knows. */
export function knownWrite(
  writes: ReadonlyMap<string, AnyWrite>,
  entry: { write: string; version: number },
): AnyWrite | undefined {
  const write = writes.get(entry.write)
  return write?.version === entry.version ? write : undefined
}

function isOf<Row>(write: AnyWrite, list: List<Row>): write is Write<Row, unknown> {
  return write.list === list
}
