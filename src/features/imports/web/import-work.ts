import type { ReaderContext, Reading, ReadRow } from '../reading.ts'

/** What becomes of a row of the file: together they are all of its rows. */
export type Fate = 'new' | 'there' | 'changed' | 'refused'

export interface FatedRow {
  row: ReadRow
  fate: Fate
}

/** A file as it was read. Nothing of it has been written. */
export interface ReadFile {
  /** 'todoist' */
  source: string
  /** 'Todoist' */
  sourceName: string
  /** Within the bounds of Daymark. */
  reading: Reading
  /** Of a file of Daymark's own: whose it is, and whether its preferences can come, too. */
  own?: { name: string; email: string; exported_at: string }
  /** What is sent, piece by piece, as JSON; and the id of what each row of the reading becomes. */
  pieces: readonly string[]
  targets: readonly (string | undefined)[]
}

/** `source`: whose file it is, where that is known. */
export interface Unreadable {
  problem: string
  source?: string
}

/** What became of an import. */
export interface Written {
  /** For `undoImport`; the list of imports has it as well. */
  id: string
  rows: readonly FatedRow[]
  /** Why it stopped before the end. Importing the same file again continues it. */
  problem?: string
  /** Why the preferences were not imported although everything else was. */
  preferencesProblem?: string
}

/** The work on a file that needs a worker or the server. None of it rejects; what was aborted may answer anything. */
export interface ImportWork {
  read(
    file: File,
    context: ReaderContext,
    options: { signal: AbortSignal; onProgress(fraction: number): void },
  ): Promise<ReadFile | Unreadable>
  /** Compares with what is in the account. Writes nothing. */
  compare(
    read: ReadFile,
    options: { signal: AbortSignal; onProgress(fraction: number): void },
  ): Promise<FatedRow[] | Unreadable>
  write(
    read: ReadFile,
    options: {
      signal: AbortSignal
      onProgress(done: { count: number; of: number }): void
      /** Of a file of Daymark's own. */
      preferencesToo?: boolean
    },
  ): Promise<Written>
}
