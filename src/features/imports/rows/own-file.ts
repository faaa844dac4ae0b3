import {
  type ExportedAccount,
  type FileCollection,
  fileRows,
  format,
} from '#features/your-data/exported-account.ts'
import { readExport } from '#features/your-data/read-export.ts'
import type { FileRows } from '#platform/wire/file-rows.ts'
import { dayKey, type OpenedFile, type ReadRow } from '../reading/reading.ts'
import type { ReadyReading } from './rows-of-reading.ts'

/** The source that is stored for imports of Daymark's own files. */
export const ownSource = { source: format, name: 'Daymark file' } as const

/**
 * Reads a file exported from Daymark. Its rows are imported as they are, with their ids; `reading` is only needed for the
 * preview.
 */
export function readOwnFile(
  file: OpenedFile,
): (ReadyReading & { exported: ExportedAccount }) | { problem: string } | undefined {
  if (file.kind !== 'text' || !isOwnText(file.text)) return undefined
  const read = readExport(file.text)
  if ('problem' in read) return read
  const { exported, unread } = read
  const rows = rowsIn(exported)
  const reading = {
    lists: [],
    todos: [],
    habits: [],
    sessions: [],
    rows,
    notes: unread ? [unread] : [],
    questions: [],
  }
  return { reading, account: exported, exported, targets: rows.map(({ becomes }) => becomes) }
}

export function isOwnText(text: string): boolean {
  return /^\s*\{\s*"format"\s*:\s*"daymark"/.test(text)
}

function rowsIn(exported: Pick<ExportedAccount, FileCollection>): ReadRow[] {
  const collections: Record<string, readonly unknown[]> = exported
  const lines = Object.entries<FileRows>(fileRows).flatMap(([collection, kind]) =>
    (collections[collection] ?? []).flatMap((row) => kind.lines(row)),
  )
  return lines.map(({ what, title, id, day }, place) => ({
    line: place + 1,
    what,
    title,
    changed: [],
    becomes: day === undefined ? id : dayKey(id, day),
  }))
}
