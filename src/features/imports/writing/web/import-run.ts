import type { ReadFile, Unreadable } from '#features/imports/opening/read-file.ts'
import type { FatedRow } from '#features/imports/preview/fates.ts'
import { countToImport, type PreviewLine, previewLines } from '#features/imports/preview/web/preview-lines.ts'
import type { ReaderContext, Reading, ReadQuestion } from '#features/imports/reading/reading.ts'
import type { ImportWork } from './import-work.ts'

export interface Preview {
  rows: readonly FatedRow[]
  lines: readonly PreviewLine[]
  notes: readonly string[]
}

interface Done {
  count: number
  of: number
}

export type ImportState =
  | { step: 'none' }
  | { step: 'reading'; file: string; fraction: number | undefined }
  | { step: 'refused'; file: string; unreadable: Unreadable }
  | {
      step: 'asking'
      file: string
      read: ReadFile
      questions: readonly ReadQuestion[]
      answers: Readonly<Record<string, string>>
      /** True while the file is read again with an answer. */
      busy: boolean
      /** Why it cannot be read with these answers. */
      problem?: string
    }
  | { step: 'comparing'; file: string; read: ReadFile; done: Done | undefined }
  /** It could not be compared. */
  | { step: 'failed'; file: string; read: ReadFile; problem: string }
  | { step: 'preview'; file: string; read: ReadFile; preview: Preview }
  | { step: 'writing'; file: string; read: ReadFile; preview: Preview; done: Done }
  | {
      step: 'written'
      file: string
      read: ReadFile
      /** For its undo. */
      id: string
      lines: readonly PreviewLine[]
      /** How many rows were to be written. */
      planned: number
      /** Why it stopped before the end. What was written until then stays. */
      problem?: string
      preferencesProblem?: string
      /** Whether the preferences of the file were to be imported. */
      preferencesToo: boolean
    }

const none: ImportState = { step: 'none' }

/** What waits for the person, or is over. */
export type Halt = Extract<ImportState, { step: 'refused' | 'asking' | 'failed' | 'preview' | 'written' }>

/** One import after the other, whether the person looks at it or is on another page. */
export class ImportRun {
  #work: ImportWork
  #reportUnseen: (state: Halt) => void
  #state: ImportState = none
  #file: File | undefined
  #context: ReaderContext | undefined
  #stopping = new AbortController()
  #listeners = new Set<() => void>()

  /** `reportUnseen` is called when the import halts while nobody looks at it. */
  constructor(work: ImportWork, reportUnseen: (state: Halt) => void) {
    this.#work = work
    this.#reportUnseen = reportUnseen
  }

  /** The same object until it changes. */
  get state(): ImportState {
    return this.#state
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Reads a file, in the place of one that was chosen before; not while one is being written. */
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
      onProgress: (fraction) => {
        if (!signal.aborted) this.#set({ step: 'reading', file: file.name, fraction })
      },
    })
    if (signal.aborted) return
    if ('problem' in read) return this.#halt({ step: 'refused', file: file.name, unreadable: read })
    const { questions } = read.reading
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

  /** Reads the file again with an answer, for what its examples show then. */
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
    // Another answer may do.
    if ('problem' in read) return this.#set({ ...state, answers, busy: false, problem: read.problem })
    // What was asked stays on the screen, so that an answer can be taken back.
    const questions = read.reading.questions.length > 0 ? read.reading.questions : state.questions
    this.#set({ step: 'asking', file: file.name, read, questions, answers, busy: false })
  }

  /** All questions are answered. */
  async proceed(): Promise<void> {
    const state = this.#state
    if (state.step !== 'asking' || state.busy || state.problem !== undefined) return
    await this.#compare(state.read)
  }

  /** Compares again, after that failed. */
  async tryAgain(): Promise<void> {
    if (this.#state.step === 'failed') await this.#compare(this.#state.read)
  }

  async #compare(read: ReadFile): Promise<void> {
    const { signal } = this.#stopping
    const file = this.#file?.name ?? ''
    this.#set({ step: 'comparing', file, read, done: undefined })
    const rows = await this.#work.compare(read, {
      signal,
      onProgress: (done) => {
        if (!signal.aborted) this.#set({ step: 'comparing', file, read, done })
      },
    })
    if (signal.aborted) return
    if ('problem' in rows) return this.#halt({ step: 'failed', file, read, problem: rows.problem })
    const { reading } = read
    const lines = previewLines(rows, listsFromNames(reading))
    this.#halt({ step: 'preview', file, read, preview: { rows, lines, notes: reading.notes } })
  }

  /** Writes what the preview shows; of a file of Daymark's own also its preferences, if they are wanted. */
  async write(preferencesToo: boolean): Promise<void> {
    const state = this.#state
    if (state.step !== 'preview') return
    const { signal } = this.#stopping
    const { file, read, preview } = state
    this.#set({ ...state, step: 'writing', done: { count: 0, of: 1 } })
    const { rows, ...result } = await this.#work.write(read, {
      signal,
      file,
      preferencesToo,
      onProgress: (done) => {
        if (!signal.aborted) this.#set({ step: 'writing', file, read, preview, done })
      },
    })
    const lines = previewLines(rows, listsFromNames(read.reading))
    const planned = countToImport(preview.lines)
    const stopped = signal.aborted ? { problem: 'You cancelled it.' } : {}
    this.#halt({ step: 'written', file, read, lines, planned, preferencesToo, ...result, ...stopped })
  }

  /** What has been written stays. */
  cancel(): void {
    this.#stopping.abort()
    // What was being written ends with a result.
    if (this.#state.step !== 'writing') this.close()
  }

  close(): void {
    if (this.#state.step === 'writing') return
    this.#file = undefined
    this.#context = undefined
    this.#set(none)
  }

  #halt(state: Halt): void {
    this.#set(state)
    if (this.#listeners.size === 0) this.#reportUnseen(state)
  }

  #set(state: ImportState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

function listsFromNames({ lists }: Reading): number {
  return lists.filter(({ fromName }) => fromName).length
}
