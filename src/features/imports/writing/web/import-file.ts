import * as z from 'zod/mini'
import { openFile } from '#features/imports/opening/open-file.ts'
import { type ReadFile, readFile } from '#features/imports/opening/read-file.ts'
import { countFates, type Fate, type FatedRow, fatesOf } from '#features/imports/preview/fates.ts'
import type { ImportCounts } from '#features/imports/preview/import-counts.ts'
import { type NewRows, newRowsSchema, targetsOfNew } from '#features/imports/preview/preview-requests.ts'
import { chooseExamples } from '#features/imports/preview/web/examples.ts'
import { previewLines, rowsAtOnce } from '#features/imports/preview/web/preview-lines.ts'
import type { ReaderContext, ReadRow } from '#features/imports/reading/reading.ts'
import { importedSchema } from '#features/your-data/exported-account.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import type { FileFacts, OrProblem, Preview, Progress, WriteOptions, Written } from './import-work.ts'
import { sendOverlapping } from './send-overlapping.ts'
import { reasonOf, sendPatiently } from './send-patiently.ts'

interface UnderWay {
  signal: AbortSignal
  onProgress(progress: Progress): void
}

const responseSchema = z.extend(importedSchema, { new: newRowsSchema })

/** The file of an import: it is read, compared with the account and written to it. */
export class ImportFile {
  #read: ReadFile | undefined
  #rows: readonly FatedRow[] = []

  async read(
    file: File,
    context: ReaderContext,
    onProgress: UnderWay['onProgress'],
  ): Promise<OrProblem<FileFacts>> {
    const opened = await openFile(file, (fraction) => onProgress({ count: fraction, of: 1 }))
    if ('problem' in opened) return opened
    const read = readFile(opened, context)
    if ('problem' in read) return read
    this.#read = read
    const { source, sourceName, own, reading } = read
    const { questions, rows } = reading
    return { source, sourceName, questions, rowCount: rows.length, ...(own && { own }) }
  }

  /** Compares the file with the account. Writes nothing. */
  async compare(account: string, { signal, onProgress }: UnderWay): Promise<OrProblem<Preview>> {
    const { previews, source, reading, toShow } = this.#opened
    const responses: NewRows[] = []
    const failure = await sendOverlapping(
      previews.map(() => 0),
      async (place) => {
        const result = await sendPatiently(
          { path: '/api/import/preview', json: previews[place] ?? '' },
          account,
          signal,
        )
        const response = result.kind === 'done' ? newRowsSchema.safeParse(result.body).data : undefined
        if (!response) return result
        responses.push(response)
        onProgress({ count: responses.length, of: previews.length })
        return undefined
      },
    )
    if (failure) return { problem: reasonOf(failure), source }
    const lines = this.#linesOf(responses)
    return { lines, notes: reading.notes, examples: chooseExamples(toShow, this.#rows) }
  }

  /**
   * Writes the rows and, if wanted, the preferences of a file exported from Daymark. After an abort, the rows written until then
   * stay.
   */
  async write(
    account: string,
    { file, preferencesToo }: WriteOptions,
    { signal, onProgress }: UnderWay,
  ): Promise<Written> {
    const { source, pieces, neededBefore, own } = this.#opened
    const id = newRowId(Date.now(), crypto.getRandomValues(new Uint8Array(10)))
    const responses: NewRows[] = []
    const send = async (piece: string, counts?: ImportCounts) => {
      const ofImport = { id, source, file, ...(counts && { counts }) }
      const result = await sendPatiently(
        { path: '/api/import', json: withImport(piece, ofImport) },
        account,
        signal,
      )
      const response = result.kind === 'done' ? responseSchema.safeParse(result.body).data : undefined
      if (response) responses.push(response.new)
      else console.warn('An import stopped', result)
      return response ? undefined : result
    }
    const of = pieces.length + 1
    const failure = await sendOverlapping(neededBefore, async (place) => {
      const failure = await send(pieces[place] ?? '')
      if (!failure) onProgress({ count: responses.length, of })
      return failure
    })
    if (failure) return { id, lines: this.#linesOf(responses), problem: reasonOf(failure) }
    const lines = this.#linesOf(responses)
    const uncounted = await send('{}', countFates(this.#rows))
    if (uncounted) return { id, lines, problem: reasonOf(uncounted) }
    // Send the preferences last: a time zone that the server does not know must not prevent the rest from being imported.
    const unset =
      preferencesToo && own ? await send(JSON.stringify({ preferences: own.preferences })) : undefined
    onProgress({ count: of, of })
    return { id, lines, ...(unset && { preferencesProblem: reasonOf(unset) }) }
  }

  /** The next of the rows with a fate. */
  rowsOf(fate: Fate, from: number): ReadRow[] {
    return this.#rows
      .filter((each) => each.fate === fate)
      .slice(from, from + rowsAtOnce)
      .map(({ row }) => row)
  }

  get #opened(): ReadFile {
    if (!this.#read) throw new Error('A file has to be read before anything else is done with it')
    return this.#read
  }

  #linesOf(responses: readonly NewRows[]) {
    const { reading, targets } = this.#opened
    this.#rows = fatesOf({ rows: reading.rows, targets }, targetsOfNew(responses))
    return previewLines(this.#rows, reading.lists.filter(({ fromName }) => fromName).length)
  }
}

/** The JSON of a piece with the import that it belongs to. */
function withImport(piece: string, ofImport: object): string {
  const rest = piece.slice(1)
  return `{"import":${JSON.stringify(ofImport)}${rest === '}' ? '' : ','}${rest}`
}
