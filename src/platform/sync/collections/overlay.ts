import type { Collection } from './collection.ts'
import type { AnyWrite, Write } from './write.ts'

/** The parts of a queued write that the overlay needs. */
export interface OverlaidWrite {
  id: string
  write: string
  version: number
  vars: unknown
}

/**
 * Returns a function that applies the queued writes on top of the rows. It remembers its last result, so one more write
 * costs one `apply`, not one for each queued write. Without any, it returns the same array to all that show the collection, who
 * then derive from it only once what they share.
 */
export function createOverlay<Row>(collection: Collection<Row>, writes: ReadonlyMap<string, AnyWrite>) {
  let lastBase: readonly Row[] | undefined
  let lastQueuedWrites: readonly OverlaidWrite[] = []
  let lastRows: readonly Row[] = []

  return (base: readonly Row[], queuedWrites: readonly OverlaidWrite[]): readonly Row[] => {
    const goesOn =
      base === lastBase &&
      lastQueuedWrites.every((queuedWrite, index) => queuedWrite.id === queuedWrites[index]?.id)
    const rest = goesOn ? queuedWrites.slice(lastQueuedWrites.length) : queuedWrites
    let rows = goesOn ? lastRows : base
    for (const queuedWrite of rest) rows = apply(rows, queuedWrite)
    lastBase = base
    lastQueuedWrites = queuedWrites
    lastRows = rows
    return rows
  }

  function apply(rows: readonly Row[], queuedWrite: OverlaidWrite): readonly Row[] {
    const write = findDeclaredWrite(writes, queuedWrite)
    if (!write || !isOf(write, collection)) return rows
    try {
      return write.apply(rows, queuedWrite.vars)
    } catch (error) {
      // The variables have an unexpected shape. The sender reports the write; here, the other rows stay readable.
      console.warn(`Could not show a queued ${queuedWrite.write}`, error)
      return rows
    }
  }
}

/** The declaration of a queued write; undefined if this build does not know the write or its version. */
export function findDeclaredWrite(
  writes: ReadonlyMap<string, AnyWrite>,
  queuedWrite: { write: string; version: number },
): AnyWrite | undefined {
  const write = writes.get(queuedWrite.write)
  return write?.version === queuedWrite.version ? write : undefined
}

function isOf<Row>(write: AnyWrite, collection: Collection<Row>): write is Write<Row, unknown> {
  return write.collection === collection
}
