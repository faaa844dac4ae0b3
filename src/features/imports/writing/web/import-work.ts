import * as z from 'zod/mini'
import type { ReadFile, Unreadable } from '#features/imports/opening/read-file.ts'
import { readInWorker } from '#features/imports/opening/read-in-worker.ts'
import { countFates, type FatedRow, fatesOf } from '#features/imports/preview/fates.ts'
import type { ImportCounts } from '#features/imports/preview/import-counts.ts'
import { type NewRows, newRowsSchema, targetsOfNew } from '#features/imports/preview/preview-requests.ts'
import type { ReaderContext } from '#features/imports/reading/reading.ts'
import { importedSchema } from '#features/your-data/exported-account.ts'
import type { AccountSync } from '#platform/sync/account/account-sync.ts'
import { newRowId } from '#platform/wire/ids/new-row-id.ts'
import { reasonOf, sendPatiently } from './send-patiently.ts'

/** The result of writing an import. */
export interface Written {
  /** The id by which the import can be undone. */
  id: string
  rows: readonly FatedRow[]
  /** Why the writing stopped before its end. Importing the same file again continues it. */
  problem?: string
  /** Why the preferences were not imported, although everything else was. */
  preferencesProblem?: string
}

interface Progress {
  signal: AbortSignal
  onProgress(done: { count: number; of: number }): void
}

/** The part of an import that needs a worker or the server. Its methods never reject. After an abort, ignore their results. */
export interface ImportWork {
  read(
    file: File,
    context: ReaderContext,
    options: { signal: AbortSignal; onProgress(fraction: number): void },
  ): Promise<ReadFile | Unreadable>
  /** Compares the file with the account. Writes nothing. */
  compare(read: ReadFile, progress: Progress): Promise<FatedRow[] | Unreadable>
  /**
   * Writes the rows and, if wanted, the preferences of a file exported from Daymark. After an abort, the rows written until then
   * stay.
   */
  write(read: ReadFile, options: Progress & { file: string; preferencesToo?: boolean }): Promise<Written>
}

const responseSchema = z.extend(importedSchema, { new: newRowsSchema })

/** The work of an import. Screens do not update while rows are being written; `reread` updates them afterwards. */
export function importWork({
  account,
  reread,
  withoutLiveUpdates,
}: Pick<AccountSync, 'account' | 'reread' | 'withoutLiveUpdates'>): ImportWork {
  return {
    read: readInWorker,
    async compare(read, { signal, onProgress }) {
      const responses: NewRows[] = []
      for (const [place, preview] of read.previews.entries()) {
        const result = await sendPatiently(
          { path: '/api/import/preview', body: JSON.parse(preview) },
          account,
          signal,
        )
        const response = result.kind === 'done' ? newRowsSchema.safeParse(result.body).data : undefined
        if (!response) return { problem: reasonOf(result), source: read.source }
        responses.push(response)
        onProgress({ count: place + 1, of: read.previews.length })
      }
      return fatesOf({ rows: read.reading.rows, targets: read.targets }, targetsOfNew(responses))
    },
    async write(read, options) {
      const written = await withoutLiveUpdates(() => writePieces(read, account, options))
      await reread()
      return written
    },
  }
}

async function writePieces(
  { source, pieces, reading, targets, own }: ReadFile,
  account: string,
  { signal, onProgress, file, preferencesToo = false }: Parameters<ImportWork['write']>[1],
): Promise<Written> {
  const id = newRowId(Date.now(), crypto.getRandomValues(new Uint8Array(10)))
  const responses: NewRows[] = []
  const send = async (piece: object, counts?: ImportCounts) => {
    const body = { ...piece, import: { id, source, file, ...(counts && { counts }) } }
    const result = await sendPatiently({ path: '/api/import', body }, account, signal)
    const response = result.kind === 'done' ? responseSchema.safeParse(result.body).data : undefined
    if (response) responses.push(response.new)
    else console.warn('An import stopped', result)
    return response ? undefined : result
  }
  const rows = () => fatesOf({ rows: reading.rows, targets }, targetsOfNew(responses))
  for (const [place, piece] of pieces.entries()) {
    const failure = await send(JSON.parse(piece))
    if (failure) return { id, rows: rows(), problem: reasonOf(failure) }
    onProgress({ count: place + 1, of: pieces.length + 1 })
  }
  const failure = await send({}, countFates(rows()))
  if (failure) return { id, rows: rows(), problem: reasonOf(failure) }
  // Send the preferences last: a time zone that the server does not know must not prevent the rest from being imported.
  const unset = preferencesToo && own ? await send({ preferences: own.preferences }) : undefined
  onProgress({ count: pieces.length + 1, of: pieces.length + 1 })
  return { id, rows: rows(), ...(unset && { preferencesProblem: reasonOf(unset) }) }
}
