import * as z from 'zod/mini'
import type { ReadFile } from '#features/imports/opening/read-file.ts'
import type { ImportCounts } from '#features/imports/preview/import-counts.ts'
import { type NewRows, newRowsSchema } from '#features/imports/preview/preview-requests.ts'
import { importedSchema } from '#features/your-data/exported-account.ts'
import type { UnderWay } from './import-asks.ts'
import { sendOverlapping } from './send-overlapping.ts'
import { reasonOf, sendPatiently } from './send-patiently.ts'

// The requests of an import. Apart from the code that reads files, so that a file is read before this has come.

/** What the server said is new, as far as it came, and why no more came. */
interface Answers {
  responses: readonly NewRows[]
  problem?: string
}

/** Asks which rows of a file are new to the account. */
export async function askWhatIsNew(
  { previews }: ReadFile,
  account: string,
  { signal, onProgress }: UnderWay,
): Promise<Answers> {
  const responses: NewRows[] = []
  const independent = previews.map(() => 0)
  const failure = await sendOverlapping(independent, async (place) => {
    const json = previews[place] ?? ''
    const result = await sendPatiently({ path: '/api/import/preview', json }, account, signal)
    const response = result.kind === 'done' ? newRowsSchema.safeParse(result.body).data : undefined
    if (!response) return result
    responses.push(response)
    onProgress({ count: responses.length, of: previews.length })
    return undefined
  })
  return { responses, ...(failure && { problem: reasonOf(failure) }) }
}

/** An import that is being written. */
export interface ImportBeingWritten {
  id: string
  source: string
  /** The name of the file. */
  file: string
}

/** Imports all pieces of a file. */
export async function sendPieces(
  { pieces, neededBefore }: ReadFile,
  account: string,
  ofImport: ImportBeingWritten,
  { signal, onProgress }: UnderWay,
): Promise<Answers> {
  const responses: NewRows[] = []
  const failure = await sendOverlapping(neededBefore, async (place) => {
    const response = await sendPiece(pieces[place] ?? '', account, ofImport, signal)
    if ('problem' in response) return response
    responses.push(response)
    // The counts follow.
    onProgress({ count: responses.length, of: pieces.length + 1 })
    return undefined
  })
  return { responses, ...failure }
}

const responseSchema = z.extend(importedSchema, { new: newRowsSchema })

/** Imports one piece, given as JSON. The last piece of an import has its counts. */
export async function sendPiece(
  piece: string,
  account: string,
  ofImport: ImportBeingWritten & { counts?: ImportCounts },
  signal: AbortSignal,
): Promise<NewRows | { problem: string }> {
  const json = withImport(piece, ofImport)
  const result = await sendPatiently({ path: '/api/import', json }, account, signal)
  const response = result.kind === 'done' ? responseSchema.safeParse(result.body).data : undefined
  if (response) return response.new
  console.warn('An import stopped', result)
  return { problem: reasonOf(result) }
}

/** The JSON of a piece with the import that it belongs to. */
function withImport(piece: string, ofImport: object): string {
  const rest = piece.slice(1)
  return `{"import":${JSON.stringify(ofImport)}${rest === '}' ? '' : ','}${rest}`
}
