import type { ExportedAccount } from '#features/your-data/exported-account.ts'
import { splitIntoPieces } from '#features/your-data/pieces.ts'
import { previewsOf } from '../preview/preview-requests.ts'
import { readers } from '../readers/readers.ts'
import { jsonOf, looksLikeJson } from '../reading/json-of.ts'
import type { OpenedFile, Reader, ReaderContext, Reading } from '../reading/reading.ts'
import { fitReading, inWords } from '../rows/fit-reading.ts'
import { neededBefore } from '../rows/needed-before.ts'
import { isOwnText, ownSource, readOwnFile } from '../rows/own-file.ts'
import { type RowsToImport, rowsOfReading } from '../rows/rows-of-reading.ts'
import { type RowsToShow, rowsToShow } from '../rows/rows-to-show.ts'
import { occurrencesIn } from './occurrences-in.ts'

/** A file that has been read. Nothing has been written to the account yet. */
export interface ReadFile {
  /** The id of the app: 'todoist'. */
  source: string
  /** The name of the app: 'Todoist'. */
  sourceName: string
  /** What was read from the file, shortened where it exceeds Daymark's limits. */
  reading: Reading
  /** For a file exported from Daymark: whose account it is, and its preferences, which can be imported as well. */
  own?: Pick<ExportedAccount, 'account' | 'exported_at' | 'preferences'>
  /** The rows from which the preview's examples are chosen. */
  toShow: RowsToShow
  /**
   * The JSON bodies of requests. `pieces` import the rows in several parts; `previews` ask which of the rows are new to the
   * account.
   */
  pieces: readonly string[]
  /** For each piece, how many of those before it have to be imported first. */
  neededBefore: readonly number[]
  previews: readonly string[]
  /**
   * For each row of `reading`, the id of the row that it becomes in Daymark. For a day of a habit, the habit's id and the day.
   */
  targets: readonly (string | undefined)[]
}

/** Why a file cannot be read. `source` is the app that the file is from, if known. */
export interface Unreadable {
  problem: string
  source?: string
}

/** The most JSON objects in a file. Other apps write fewer, even for all the data that an account can have. */
const mostEntries = 750_000

/** Reads an opened file, or returns why it cannot be read. */
export function readFile(
  file: OpenedFile,
  context: ReaderContext,
  all: readonly Reader[] = readers,
): ReadFile | Unreadable {
  if (hasTooManyEntries(file)) return { problem: `This file has more than ${inWords(mostEntries)} entries.` }
  const packed = packedFile(file, all)
  if (packed) return 'problem' in packed ? packed : readPacked(packed, context, all)
  const own = readOwnFile(file)
  if (own) {
    if ('problem' in own) return { ...own, source: ownSource.source }
    const { exported, reading, targets } = own
    const { account, exported_at, preferences } = exported
    return {
      source: ownSource.source,
      sourceName: ownSource.name,
      reading,
      targets,
      own: { account, exported_at, preferences },
      ...made(exported),
    }
  }
  const reader = all.find((each) => each.recognises(file))
  if (!reader) return { problem: whyUnknown(file) }
  const { source, name: sourceName, mostLines = Number.POSITIVE_INFINITY } = reader
  if (textsOf(file).reduce((sum, text) => sum + occurrencesIn(text, '\n'), 0) > mostLines) {
    return { problem: `This file has more than ${inWords(mostLines)} lines.`, source }
  }
  const read = reader.read(file, context)
  const fitting = 'problem' in read ? read : fitReading(read, context)
  if ('problem' in fitting) return { ...fitting, source }
  const { reading, account, targets } = rowsOfReading(fitting, source, context)
  return { source, sourceName, reading, targets, ...made(account) }
}

/** Counts the JSON objects without parsing: parsing a file only to find too many tasks would take seconds and much memory. */
function hasTooManyEntries(file: OpenedFile): boolean {
  const others = textsOf(file).filter((text) => looksLikeJson(text) && !isOwnText(text))
  return others.reduce((sum, text) => sum + occurrencesIn(text, '{'), 0) > mostEntries
}

function textsOf(file: OpenedFile): string[] {
  if (file.kind === 'zip') return file.files.map(({ text }) => text)
  return file.kind === 'text' ? [file.text] : []
}

/**
 * People zip files that apps export unzipped. Returns the one file in a zip that can be read on its own; undefined if a reader
 * takes the whole zip.
 */
function packedFile(
  file: OpenedFile,
  all: readonly Reader[],
): { file: OpenedFile; others: string[] } | { problem: string } | undefined {
  if (file.kind !== 'zip' || all.some((each) => each.recognises(file))) return undefined
  const texts = file.files.map(({ path, text }): OpenedFile & { name: string } => {
    return { kind: 'text', name: path, text }
  })
  const known = texts.filter((each) => readOwnFile(each) || all.some((reader) => reader.recognises(each)))
  const [first, ...more] = known
  if (!first) return undefined
  if (more.length > 0) {
    const names = someOf(known.map(({ name }) => name))
    return { problem: `This zip file has several files to import: ${names}. Unpack it, and import each.` }
  }
  const others = texts.flatMap(({ name }) => (name === first.name ? [] : [name]))
  const name = first.name.slice(first.name.lastIndexOf('/') + 1)
  return { file: { ...first, name }, others: [...others, ...file.others] }
}

function someOf(names: readonly string[]): string {
  const most = 5
  return [...names.slice(0, most), ...(names.length > most ? ['…'] : [])].join(', ')
}

function readPacked(
  { file, others }: { file: OpenedFile; others: readonly string[] },
  context: ReaderContext,
  all: readonly Reader[],
): ReadFile | Unreadable {
  const read = readFile(file, context, all)
  if ('problem' in read || others.length === 0) return read
  const note = `Not read of the zip file: ${someOf(others)}.`
  return { ...read, reading: { ...read.reading, notes: [...read.reading.notes, note] } }
}

function made(account: RowsToImport) {
  const pieces = splitIntoPieces(account, false)
  return {
    toShow: rowsToShow(account),
    pieces: pieces.map((piece) => JSON.stringify(piece)),
    neededBefore: neededBefore(pieces),
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
