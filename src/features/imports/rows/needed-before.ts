import type { ImportPiece } from '#features/your-data/exported-account.ts'

/**
 * For each piece of an import, how many of those before it have to be imported first: it names rows of them, such as a parent or a
 * habit. The first piece comes before all others, because it begins the import.
 */
export function neededBefore(pieces: readonly ImportPiece[]): number[] {
  /** The piece with each row, or with the latest days of a row. */
  const places = new Map<string, number>()
  return pieces.map(({ preferences: _, ...collections }, place) => {
    let needed = Math.min(place, 1)
    for (const row of Object.values<readonly object[] | undefined>(collections).flatMap(
      (rows) => rows ?? [],
    )) {
      const named = Object.entries<unknown>({ ...row }).filter(([field]) => field.endsWith('_id'))
      for (const [, id] of named) {
        if (typeof id !== 'string') continue
        const before = places.get(id)
        if (before !== undefined && before < place) needed = Math.max(needed, before + 1)
        if (!('id' in row)) places.set(id, place)
      }
      if ('id' in row && typeof row.id === 'string') places.set(row.id, place)
    }
    return needed
  })
}
