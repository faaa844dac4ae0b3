import { counted } from '#platform/format/words.ts'
import type { PieceCollection } from '#platform/wire/file-rows.ts'
import { type ExportedAccount, fileRows, pieceCollections } from './exported-account.ts'
import { splitRows } from './pieces.ts'

/** The number of rows by collection. A collection that is missing here has none. */
export type Amounts = Readonly<Record<string, number>>

const collectionsByName: Record<string, PieceCollection> = pieceCollections

export function amountsOf(exported: ExportedAccount): Amounts {
  const amounts: Record<string, number> = {}
  for (const [collection, row] of splitRows(exported)) {
    amounts[collection] = (amounts[collection] ?? 0) + (collectionsByName[collection]?.count?.(row) ?? 1)
  }
  return amounts
}

/**
 * Counts the rows in words: '1,204 tasks, 12 habits with 4,380 completions and 3 notes, 310 focus sessions'. Undefined if there
 * are none.
 */
export function formatCounts(amounts: Amounts): string | undefined {
  const kinds = Object.values(fileRows).map((kind) => {
    const [first = '', ...others] = Object.entries<PieceCollection>(kind.pieceCollections).flatMap(
      ([collection, { one }]) => (amounts[collection] ? [counted(amounts[collection], one)] : []),
    )
    return others.length === 0 ? first : `${first} with ${others.join(' and ')}`
  })
  const there = kinds.filter((text) => text !== '')
  return there.length > 0 ? there.join(', ') : undefined
}
