import type { FileRows, PieceCollection } from '#platform/wire/file-rows.ts'
import { assembled } from '#platform/wire/synced-row.ts'
import {
  daysOf,
  type ExportedAccount,
  type FileCollection,
  fileRows,
  type ImportPiece,
  mostDaysPerPiece,
  pieceCollections,
} from './exported-account.ts'

/** The most bytes of a request that imports a part of an account. The server accepts 65,536. */
const mostBytes = 60_000

/**
 * Splits a whole account into requests that are small enough. Each request comes after the requests with rows that it refers to.
 * Preferences come last, because a time zone that the server does not know must not prevent the rest from being imported.
 */
export function splitIntoPieces(
  exported: Pick<ExportedAccount, FileCollection> & Partial<Pick<ExportedAccount, 'preferences'>>,
  preferencesToo: boolean,
  most = mostBytes,
): ImportPiece[] {
  const pieces: ImportPiece[] = []
  let piece: Record<string, object[]> = {}
  let size = 0
  let days = 0
  const beginPiece = () => {
    pieces.push(assembled(piece))
    piece = {}
    size = 0
    days = 0
  }
  for (const split of splitEachRow(exported)) {
    const rows = split.map(([collection, whole]) => {
      const row = withoutDefaults(collection, whole)
      return { collection, row, bytes: bytesOf(row), days: daysOf([row]) }
    })
    // A habit is imported with its days if they fit into one piece: an import that stops between the two leaves it without them, and
    // pieces of other habits would have to wait for it.
    const bytesOfAll = rows.reduce((sum, { bytes }) => sum + bytes, 0)
    const daysOfAll = rows.reduce((sum, { days }) => sum + days, 0)
    const fitsNot = size + bytesOfAll > most || days + daysOfAll > mostDaysPerPiece
    if (size > 0 && rows.length > 1 && fitsNot) beginPiece()
    for (const { collection, row, bytes, days: daysOfRow } of rows) {
      const isFull =
        size + bytes > most ||
        days + daysOfRow > mostDaysPerPiece ||
        piece[collection]?.length === mostOf(collection)
      if (size > 0 && isFull) beginPiece()
      piece[collection] ??= []
      piece[collection].push(row)
      days += daysOfRow
      // Add the row's share of the surrounding JSON: a comma, and now and then the name of a collection.
      size += bytes + 1 + (size === 0 ? 100 : 0)
    }
  }
  if (size > 0) pieces.push(assembled(piece))
  if (preferencesToo && exported.preferences) pieces.push({ preferences: exported.preferences })
  return pieces
}

/** Every row of the file in order, split into the rows by which an import request adds it. */
export function* splitRows(exported: Pick<ExportedAccount, FileCollection>) {
  for (const rows of splitEachRow(exported)) yield* rows
}

type RowOfPiece = readonly [collection: string, row: object]

/** For each row of the file, the rows by which an import request adds it. */
function* splitEachRow(exported: Pick<ExportedAccount, FileCollection>): Generator<RowOfPiece[]> {
  const collections: Record<string, readonly unknown[]> = exported
  for (const [collection, { split }] of Object.entries<FileRows>(fileRows)) {
    for (const row of collections[collection] ?? []) yield [...split(row)]
  }
}

/** The row without fields of the value that they get if they are missing: a quarter less to send. */
function withoutDefaults(collection: string, row: object): object {
  const collections: Record<string, FileRows> = fileRows
  const { fields = {} } = collections[collection] ?? {}
  return Object.fromEntries(
    Object.entries(row).filter(([name, value]) => {
      const { whenMissing } = fields[name] ?? {}
      return whenMissing === undefined || !isSame(value, whenMissing)
    }),
  )
}

function isSame(value: unknown, other: unknown): boolean {
  if (typeof other !== 'object' || other === null) return value === other
  return JSON.stringify(value) === JSON.stringify(other)
}

function mostOf(collection: string): number {
  const collections: Record<string, PieceCollection> = pieceCollections
  return collections[collection]?.most?.[0] ?? Number.POSITIVE_INFINITY
}

function bytesOf(row: object): number {
  const text = JSON.stringify(row)
  // Counts instead of encoding, which copies every row of a large file once more.
  let bytes = text.length
  for (let place = 0; place < text.length; place += 1) {
    const unit = text.charCodeAt(place)
    if (unit < 0x80) continue
    // A pair of surrogates is two units, and four bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2
  }
  return bytes
}
