import type { ExportedAccount } from '#features/your-data/exported-account.ts'
import { splitIntoPieces } from '#features/your-data/pieces.ts'
import { fitReading } from './fit-reading.ts'
import { jsonOf, looksLikeJson } from './json-of.ts'
import { ownSource, readOwnFile } from './own-file.ts'
import { previewsOf } from './preview.ts'
import { readers } from './readers.ts'
import type { OpenedFile, Reader, ReaderContext, Reading } from './reading.ts'
import { type RowsToImport, rowsOfReading } from './rows-of-reading.ts'

/** A file as it was read. Nothing of it has been written. */
export interface ReadFile {
  /** 'todoist' */
  source: string
  /** 'Todoist' */
  sourceName: string
  /** Within the bounds of Daymark. */
  reading: Reading
  /** Of a file of Daymark's own: whose it is, and what can come as well. */
  own?: Pick<ExportedAccount, 'account' | 'exported_at' | 'preferences'>
  /** What is sent to write it, and to compare it with what is there: pieces as JSON. */
  pieces: readonly string[]
  previews: readonly string[]
  /** The id of what each row of the reading becomes, with the day if it is one of a habit. */
  targets: readonly (string | undefined)[]
}

/** `source`: whose file it is, where that is known. */
export interface Unreadable {
  problem: string
  source?: string
}

/** What becomes of an opened file. */
export function readFile(
  file: OpenedFile,
  context: ReaderContext,
  all: readonly Reader[] = readers,
): ReadFile | Unreadable {
  const own = readOwnFile(file)
  if (own) {
    if ('problem' in own) return { ...own, source: ownSource.source }
    const { exported, reading, targets } = own
    const { account, exported_at, preferences } = exported
    return {
      ...{ source: ownSource.source, sourceName: ownSource.name, reading, targets },
      own: { account, exported_at, preferences },
      ...sent(exported),
    }
  }
  const reader = all.find((each) => each.recognises(file))
  if (!reader) return { problem: whyUnknown(file) }
  const { source, name: sourceName } = reader
  const read = reader.read(file, context)
  const fitting = 'problem' in read ? read : fitReading(read, context)
  if ('problem' in fitting) return { ...fitting, source }
  const { reading, account, targets } = rowsOfReading(fitting, source, context)
  return { source, sourceName, reading, targets, ...sent(account) }
}

function sent(account: RowsToImport) {
  const pieces = splitIntoPieces(account, false)
  return {
    pieces: pieces.map((piece) => JSON.stringify(piece)),
    previews: previewsOf(pieces).map((preview) => JSON.stringify(preview)),
  }
}

function whyUnknown(file: OpenedFile): string {
  if (file.kind === 'text' && looksLikeJson(file.text) && jsonOf(file) === undefined) {
    return 'This file is damaged or cut short. Export it again.'
  }
  if (file.kind === 'database') {
    return 'This file is a database of an app that Daymark does not know. Look in that app for an export as CSV or JSON.'
  }
  return 'Daymark does not know what this file is. If it is a table, save it as CSV.'
}
