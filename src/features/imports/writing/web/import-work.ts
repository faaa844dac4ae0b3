import type { Unreadable } from '#features/imports/opening/read-file.ts'
import type { Fate } from '#features/imports/preview/fates.ts'
import type { ReaderContext, ReadRow } from '#features/imports/reading/reading.ts'
import { duringActivity } from '#platform/browser/activity.ts'
import type { AccountSync } from '#platform/sync/account/account-sync.ts'
import type {
  Asks,
  FileFacts,
  FromWorker,
  OrProblem,
  Preview,
  Progress,
  ToWorker,
  UnderWay,
  WriteOptions,
  Written,
} from './import-asks.ts'

/** The part of an import that needs a worker or the server. Its methods never reject. After an abort, ignore their results. */
export interface ImportWork {
  /** Reads a file in place of the one before. */
  read(file: File, context: ReaderContext, underWay: UnderWay): Promise<OrProblem<FileFacts>>
  /** Compares the file with the account. Writes nothing. */
  compare(underWay: UnderWay): Promise<OrProblem<Preview>>
  /** Writes the file to the account. After an abort, the result says what was written until then. */
  write(options: WriteOptions, underWay: UnderWay): Promise<Written>
  /** The next of the rows with a fate, from this place on; none if the browser ended the worker. */
  rowsOf(fate: Fate, from: number): Promise<readonly ReadRow[]>
  /** Forgets the file. */
  end(): void
}

const unread: Unreadable = { problem: "This file couldn't be read." }
const broken = 'The browser stopped the import. Choose the file again.'
/** Milliseconds that a worker has to answer once it is told to stop: the browser may have ended it without a word. */
const patience = 5_000

/** The work of an import. Screens do not update while rows are being written; `reread` updates them afterwards. */
export function importWork({
  account,
  reread,
  withoutLiveUpdates,
}: Pick<AccountSync, 'account' | 'reread' | 'withoutLiveUpdates'>): ImportWork {
  let worker: ImportWorker | undefined
  return {
    async read(file, context, { signal, onProgress }) {
      worker?.end()
      if (signal.aborted) return unread
      const own = new ImportWorker()
      worker = own
      const stop = () => own.end()
      signal.addEventListener('abort', stop)
      const read = await own.ask('read', { file, context }, onProgress)
      signal.removeEventListener('abort', stop)
      // Nothing more can be asked about a file that can't be read.
      if (!read || 'problem' in read) own.end()
      return read ?? unread
    },
    async compare({ onProgress }) {
      return (await worker?.ask('compare', { account }, onProgress)) ?? { problem: broken }
    },
    async write(options, { signal, onProgress }) {
      const own = worker
      signal.addEventListener('abort', () => own?.stop(), { once: true })
      const written = await withoutLiveUpdates(async () =>
        own?.ask('write', { account, options }, onProgress),
      )
      await reread()
      return written ?? { id: '', lines: undefined, problem: broken }
    },
    rowsOf: async (fate, from) => (await worker?.ask('list', { fate, from })) ?? [],
    end() {
      worker?.end()
      worker = undefined
    },
  }
}

/** The worker that has the file. */
class ImportWorker {
  readonly #worker = new Worker(new URL('./import-worker.ts', import.meta.url), { type: 'module' })
  /** Gives up what has been asked and not answered. */
  readonly #unanswered = new Set<() => void>()
  #isEnded = false

  constructor() {
    // The worker did not start, or the device is out of memory.
    this.#worker.onerror = () => this.end()
  }

  /** Resolves with undefined if the worker failed or was ended. */
  ask<To extends keyof Asks>(
    to: To,
    what: Asks[To]['ask'],
    onProgress: (progress: Progress) => void = () => {},
  ): Promise<Asks[To]['answer'] | undefined> {
    if (this.#isEnded) return Promise.resolve(undefined)
    const { port1, port2 } = new MessageChannel()
    const answered = new Promise<Asks[To]['answer'] | undefined>((resolve) => {
      const settle = (answer: Asks[To]['answer'] | undefined) => {
        port1.close()
        this.#unanswered.delete(giveUp)
        resolve(answer)
      }
      const giveUp = () => settle(undefined)
      this.#unanswered.add(giveUp)
      port1.onmessage = ({ data }: MessageEvent<FromWorker<Asks[To]['answer']>>) => {
        if ('progress' in data) onProgress(data.progress)
        else settle('answer' in data ? data.answer : undefined)
      }
    })
    this.#worker.postMessage({ to, port: port2, ...what }, [port2])
    return duringActivity(answered)
  }

  /** Ends what is being done. Its answer still comes. */
  stop(): void {
    this.#worker.postMessage({ to: 'stop' } satisfies ToWorker)
    const unanswered = [...this.#unanswered]
    setTimeout(() => unanswered.some((each) => this.#unanswered.has(each)) && this.end(), patience)
  }

  end(): void {
    this.#isEnded = true
    this.#worker.terminate()
    for (const giveUp of this.#unanswered) giveUp()
  }
}
