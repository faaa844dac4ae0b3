import type { ReadFile, Unreadable } from '#features/imports/opening/read-file.ts'
import type { Fate } from '#features/imports/preview/fates.ts'
import type { Example } from '#features/imports/preview/web/examples.ts'
import type { PreviewLine } from '#features/imports/preview/web/preview-lines.ts'
import type { ReaderContext, ReadQuestion, ReadRow } from '#features/imports/reading/reading.ts'

// What the page and the worker of an import tell each other.

/** What the page can ask of the worker, each with what it is told. */
export interface Asks {
  read: { ask: { file: File; context: ReaderContext }; answer: OrProblem<FileFacts> }
  compare: { ask: { account: string }; answer: OrProblem<Preview> }
  write: { ask: { account: string; options: WriteOptions }; answer: Written }
  list: { ask: { fate: Fate; from: number }; answer: readonly ReadRow[] }
}

/** Each ask comes with a port of its own for the answer. */
export type Ask = { [To in keyof Asks]: { to: To; port: MessagePort } & Asks[To]['ask'] }[keyof Asks]

/** `stop` ends what is being done, whose answer still comes. */
export type ToWorker = Ask | { to: 'stop' }

export type FromWorker<Answer> = { progress: Progress } | { answer: Answer } | { failure: string }

/** What the page knows of a file that has been read. Its rows stay in the worker. */
export interface FileFacts extends Pick<ReadFile, 'source' | 'sourceName' | 'own'> {
  rowCount: number
  questions: readonly ReadQuestion[]
}

export interface Preview {
  lines: readonly PreviewLine[]
  notes: readonly string[]
  examples: readonly Example[]
}

export interface WriteOptions {
  /** The name of the file. */
  file: string
  preferencesToo: boolean
}

/** The result of writing an import. */
export interface Written {
  /** The id by which the import can be undone. */
  id: string
  /** Undefined if nothing is known of what was written. */
  lines: readonly PreviewLine[] | undefined
  /** Why the writing stopped before its end. Importing the same file again continues it. */
  problem?: string
  /** Why the preferences were not imported, although everything else was. */
  preferencesProblem?: string
}

export interface Progress {
  count: number
  of: number
}

export type OrProblem<Result> = Result | Unreadable

export interface UnderWay {
  signal: AbortSignal
  onProgress(progress: Progress): void
}
