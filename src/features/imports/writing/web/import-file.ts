import { openFile } from '#features/imports/opening/open-file.ts'
import { type ReadFile, readFile } from '#features/imports/opening/read-file.ts'
import { countFates, type Fate, type FatedRow, fatesOf } from '#features/imports/preview/fates.ts'
import { type NewRows, targetsOfNew } from '#features/imports/preview/preview-requests.ts'
import { previewLines, rowsAtOnce } from '#features/imports/preview/web/preview-lines.ts'
import type { ReaderContext, ReadRow } from '#features/imports/reading/reading.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import type { FileFacts, OrProblem, Preview, UnderWay, WriteOptions, Written } from './import-asks.ts'

/** The file of an import: it is read, compared with the account and written to it. */
export class ImportFile {
  #read: ReadFile | undefined
  #rest: Awaited<ReturnType<typeof fetchRest>> | undefined
  #rows: readonly FatedRow[] = []

  async read(
    file: File,
    context: ReaderContext,
    onProgress: UnderWay['onProgress'],
  ): Promise<OrProblem<FileFacts>> {
    const fetched = fetchRest()
    // A failure is handled where this is awaited.
    fetched.catch(() => {})
    const opened = await openFile(file, (fraction) => onProgress({ count: fraction, of: 1 }))
    if ('problem' in opened) return opened
    const read = readFile(opened, context)
    if ('problem' in read) return read
    // If this fails, the file has to be chosen again: a browser may not fetch a script again for a worker in which it failed once.
    this.#rest = await fetched
    this.#read = read
    const { source, sourceName, own, reading } = read
    const { questions, rows } = reading
    return { source, sourceName, questions, rowCount: rows.length, ...(own && { own }) }
  }

  /** Compares the file with the account. Writes nothing. */
  async compare(account: string, underWay: UnderWay): Promise<OrProblem<Preview>> {
    const { read, askWhatIsNew, chooseExamples } = this.#opened
    const { responses, problem } = await askWhatIsNew(read, account, underWay)
    if (problem !== undefined) return { problem, source: read.source }
    const lines = this.#linesOf(responses)
    return { lines, notes: read.reading.notes, examples: chooseExamples(read.toShow, this.#rows) }
  }

  /**
   * Writes the rows and, if wanted, the preferences of a file exported from Daymark. After an abort, the rows written until then
   * stay.
   */
  async write(account: string, { file, preferencesToo }: WriteOptions, underWay: UnderWay): Promise<Written> {
    const { read, sendPieces, sendPiece } = this.#opened
    const { signal } = underWay
    const id = newRowId(Date.now(), crypto.getRandomValues(new Uint8Array(10)))
    const ofImport = { id, source: read.source, file }
    const { responses, problem } = await sendPieces(read, account, ofImport, underWay)
    const lines = this.#linesOf(responses)
    if (problem !== undefined) return { id, lines, problem }
    const counts = countFates(this.#rows)
    const counted = await sendPiece('{}', account, { ...ofImport, counts }, signal)
    if ('problem' in counted) return { id, lines, problem: counted.problem }
    if (!preferencesToo || !read.own) return { id, lines }
    // Send the preferences last: a time zone that the server does not know must not prevent the rest from being imported.
    const { preferences } = read.own
    const set = await sendPiece(JSON.stringify({ preferences }), account, ofImport, signal)
    return { id, lines, ...('problem' in set && { preferencesProblem: set.problem }) }
  }

  /** The next of the rows with a fate. */
  rowsOf(fate: Fate, from: number): ReadRow[] {
    return this.#rows
      .filter((each) => each.fate === fate)
      .slice(from, from + rowsAtOnce)
      .map(({ row }) => row)
  }

  get #opened() {
    const [read, rest] = [this.#read, this.#rest]
    if (!read || !rest) throw new Error('A file has to be read before anything else is done with it')
    return { read, ...rest }
  }

  #linesOf(responses: readonly NewRows[]) {
    const { reading, targets } = this.#opened.read
    this.#rows = fatesOf({ rows: reading.rows, targets }, targetsOfNew(responses))
    return previewLines(this.#rows, reading.lists.filter(({ fromName }) => fromName).length)
  }
}

/** What is needed once a file is read. */
async function fetchRest() {
  const { askWhatIsNew, sendPieces, sendPiece } = await import('./import-requests.ts')
  const { chooseExamples } = await import('#features/imports/preview/web/examples.ts')
  return { askWhatIsNew, sendPieces, sendPiece, chooseExamples }
}
