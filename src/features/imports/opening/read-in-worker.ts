import type { ReaderContext } from '../reading/reading.ts'
import type { FileToRead, FromWorker } from './import-worker.ts'
import type { ReadFile, Unreadable } from './read-file.ts'

interface Options {
  signal: AbortSignal
  onProgress(fraction: number): void
}

/** Reads a file in a worker, which ends when the file is read or no longer wanted. Never rejects. */
export function readInWorker(
  file: File,
  context: ReaderContext,
  { signal, onProgress }: Options,
): Promise<ReadFile | Unreadable> {
  const worker = new Worker(new URL('./import-worker.ts', import.meta.url), { type: 'module' })
  const rows: ReadFile['reading']['rows'] = []
  const targets: ReadFile['targets'][number][] = []
  const todos: ReadFile['toShow']['todos'][number][] = []
  return new Promise<ReadFile | Unreadable>((resolve) => {
    const unread = { problem: "This file couldn't be read." }
    signal.addEventListener('abort', () => resolve(unread), { once: true })
    // The worker did not start, or the device is out of memory.
    worker.onerror = () => resolve(unread)
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if ('progress' in data) return onProgress(data.progress)
      if ('rows' in data) {
        rows.push(...data.rows)
        targets.push(...data.targets)
        return
      }
      if ('todos' in data) return void todos.push(...data.todos)
      const { read } = data
      if ('problem' in read) return resolve(read)
      const { reading, toShow } = read
      resolve({ ...read, reading: { ...reading, rows }, toShow: { ...toShow, todos }, targets })
    }
    worker.postMessage({ file, context } satisfies FileToRead)
    if (signal.aborted) resolve(unread)
  }).finally(() => worker.terminate())
}
