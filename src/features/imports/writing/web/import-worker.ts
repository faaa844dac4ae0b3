import type { Ask, Asks, Progress, ToWorker, UnderWay } from './import-asks.ts'
import { ImportFile } from './import-file.ts'

// Runs as a worker, so that the page stays usable however large or hostile a file is. The rows of the file stay here; the page is
// sent only what it shows of them. The page can end the worker at any time.

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

async function answerTo(ask: Ask, underWay: UnderWay): Promise<Asks[keyof Asks]['answer']> {
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
