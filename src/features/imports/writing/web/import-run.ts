import type { Unreadable } from '#features/imports/opening/read-file.ts'
import type { Fate } from '#features/imports/preview/fates.ts'
import { countToImport, type PreviewLine } from '#features/imports/preview/web/preview-lines.ts'
import type { ReaderContext, ReadQuestion, ReadRow } from '#features/imports/reading/reading.ts'
import type { FileFacts, Preview, Progress } from './import-asks.ts'
import type { ImportWork } from './import-work.ts'

export type ImportState =
  | { step: 'none' }
  | { step: 'reading'; file: string; fraction: number | undefined }
  | { step: 'refused'; file: string; unreadable: Unreadable }
  | {
      step: 'asking'
      file: string
      read: FileFacts
      questions: readonly ReadQuestion[]
      answers: Readonly<Record<string, string>>
      /** Whether the file is being read again with an answer. */
      busy: boolean
      /** Why the file cannot be read with the present answers. */
      problem?: string
    }
  | { step: 'comparing'; file: string; read: FileFacts; done: Progress | undefined }
  /** The comparison with the account failed. */
  | { step: 'failed'; file: string; read: FileFacts; problem: string }
  | { step: 'preview'; file: string; read: FileFacts; preview: Preview }
  | { step: 'writing'; file: string; read: FileFacts; preview: Preview; done: Progress }
  | {
      step: 'written'
      file: string
      read: FileFacts
      /** The id of the import, for undoing it. */
      id: string
      /** Undefined if nothing is known of what was written. */
      lines: readonly PreviewLine[] | undefined
      /** How many rows were to be written. */
      planned: number
      /** Why the import stopped before its end. The rows written until then stay. */
      problem?: string
      preferencesProblem?: string
      /** Whether the file's preferences were to be imported. */
      preferencesToo: boolean
    }

const none: ImportState = { step: 'none' }

/** The states in which nothing is running: the import waits for the person, or has ended. */
export type Halt = Extract<ImportState, { step: 'refused' | 'asking' | 'failed' | 'preview' | 'written' }>

/** Runs one import at a time, and continues while the person is on another page. */
export class ImportRun {
  #work: ImportWork
  #reportUnseen: (state: Halt) => void
  #state: ImportState = none
  #file: File | undefined
  #context: ReaderContext | undefined
  #stopping = new AbortController()
  #listeners = new Set<() => void>()

  /** `reportUnseen` is called when the import halts while no screen shows it. */
  constructor(work: ImportWork, reportUnseen: (state: Halt) => void) {
    this.#work = work
    this.#reportUnseen = reportUnseen
  }

  /** The state of the import. The same object until the state changes, as `useSyncExternalStore` needs. */
  get state(): ImportState {
    return this.#state
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Reads a file in place of one that was chosen before. Does nothing while a file is being written. */
  async choose(file: File, context: ReaderContext): Promise<void> {
    if (this.#state.step === 'writing') return
    this.#stopping.abort()
    this.#stopping = new AbortController()
    const { signal } = this.#stopping
    this.#file = file
    this.#context = context
    this.#set({ step: 'reading', file: file.name, fraction: undefined })
    const read = await this.#work.read(file, context, {
      signal,
      onProgress: ({ count: fraction }) => {
        if (!signal.aborted) this.#set({ step: 'reading', file: file.name, fraction })
      },
    })
    if (signal.aborted) return
    if ('problem' in read) return this.#halt({ step: 'refused', file: file.name, unreadable: read })
    const { questions } = read
    if (questions.length === 0) return this.#compare(read)
    this.#halt({
      step: 'asking',
      file: file.name,
      read,
      questions,
      answers: context.answers,
      busy: false,
    })
  }

  /** Reads the file again with an answer, so that the examples show its effect. */
  async answer(id: string, answer: string): Promise<void> {
    const [file, context, state] = [this.#file, this.#context, this.#state]
    if (!file || !context || state.step !== 'asking') return
    this.#stopping.abort()
    this.#stopping = new AbortController()
    const { signal } = this.#stopping
    const answers = { ...state.answers, [id]: answer }
    this.#set({ ...state, answers, busy: true })
    const read = await this.#work.read(file, { ...context, answers }, { signal, onProgress() {} })
    if (signal.aborted) return
    // The file may be readable with another answer.
    if ('problem' in read) return this.#set({ ...state, answers, busy: false, problem: read.problem })
    // Keep showing the questions, so that an answer can be changed.
    const questions = read.questions.length > 0 ? read.questions : state.questions
    this.#set({ step: 'asking', file: file.name, read, questions, answers, busy: false })
  }

  /** Continues with the comparison after all questions are answered. */
  async proceed(): Promise<void> {
    const state = this.#state
    if (state.step !== 'asking' || state.busy || state.problem !== undefined) return
    await this.#compare(state.read)
  }

  /** Repeats a comparison that failed. */
  async tryAgain(): Promise<void> {
    if (this.#state.step === 'failed') await this.#compare(this.#state.read)
  }

  async #compare(read: FileFacts): Promise<void> {
    const { signal } = this.#stopping
    const file = this.#file?.name ?? ''
    this.#set({ step: 'comparing', file, read, done: undefined })
    const preview = await this.#work.compare({
      signal,
      onProgress: (done) => {
        if (!signal.aborted) this.#set({ step: 'comparing', file, read, done })
      },
    })
    if (signal.aborted) return
    if ('problem' in preview) return this.#halt({ step: 'failed', file, read, problem: preview.problem })
    this.#halt({ step: 'preview', file, read, preview })
  }

  /** Writes the rows of the preview. If `preferencesToo` is set, also writes the preferences of a file exported from Daymark. */
  async write(preferencesToo: boolean): Promise<void> {
    const state = this.#state
    if (state.step !== 'preview') return
    const { signal } = this.#stopping
    const { file, read, preview } = state
    this.#set({ ...state, step: 'writing', done: { count: 0, of: 1 } })
    const written = await this.#work.write(
      { file, preferencesToo },
      {
        signal,
        onProgress: (done) => {
          if (!signal.aborted) this.#set({ step: 'writing', file, read, preview, done })
        },
      },
    )
    const planned = countToImport(preview.lines)
    const stopped = signal.aborted && written.problem !== undefined ? { problem: 'You cancelled it.' } : {}
    this.#halt({ step: 'written', file, read, planned, preferencesToo, ...written, ...stopped })
  }

  /** Stops the import. Rows that have been written stay. */
  cancel(): void {
    this.#stopping.abort()
    // When a write is stopped, `write` still sets the resulting state.
    if (this.#state.step !== 'writing') this.close()
  }

  close(): void {
    if (this.#state.step === 'writing') return
    this.#file = undefined
    this.#context = undefined
    this.#work.end()
    this.#set(none)
  }

  /** The next of the file's rows with a fate, from this place on. */
  rowsOf = (fate: Fate, from: number): Promise<readonly ReadRow[]> => this.#work.rowsOf(fate, from)

  #halt(state: Halt): void {
    this.#set(state)
    if (this.#listeners.size === 0) this.#reportUnseen(state)
  }

  #set(state: ImportState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}
