import type { Fate } from '#features/imports/preview/fates.ts'
import type { ReaderContext, ReadRow } from '#features/imports/reading/reading.ts'
import { ImportFile } from './import-file.ts'
import type { FileFacts, OrProblem, Preview, Progress, WriteOptions, Written } from './import-work.ts'

// Runs as a worker, so that the page stays usable however large or hostile a file is. The rows of the file stay here; the page is
// sent only what it shows of them. The page can end the worker at any time.

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

const imported = new ImportFile()
let stopping = new AbortController()

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.to === 'stop') return stopping.abort()
  stopping = new AbortController()
  const { port } = data
  const underWay = {
    signal: stopping.signal,
    onProgress: (progress: Progress) => port.postMessage({ progress }),
  }
  answerTo(data, underWay).then(
    (answer) => port.postMessage({ answer }),
    (surprise) => {
      console.warn(`The import could not ${data.to}`, surprise)
      port.postMessage({ failure: String(surprise) })
    },
  )
})

async function answerTo(
  ask: Ask,
  underWay: { signal: AbortSignal; onProgress(progress: Progress): void },
): Promise<Asks[keyof Asks]['answer']> {
  switch (ask.to) {
    case 'read':
      return imported.read(ask.file, ask.context, underWay.onProgress)
    case 'compare':
      return imported.compare(ask.account, underWay)
    case 'write':
      return imported.write(ask.account, ask.options, underWay)
    case 'list':
      return imported.rowsOf(ask.fate, ask.from)
  }
}
