import type { ReaderContext } from '../reading/reading.ts'
import { openFile } from './open-file.ts'
import { type ReadFile, readFile, type Unreadable } from './read-file.ts'

// Runs as a worker, so that the page stays usable however large or hostile a file is. The page can end the worker at any time.

export interface FileToRead {
  file: File
  context: ReaderContext
}

/** Rows, targets and tasks are sent in parts before the rest, because the page handles each message in one go. */
export type FromWorker =
  | { progress: number }
  | { rows: ReadFile['reading']['rows']; targets: ReadFile['targets'] }
  | { todos: ReadFile['toShow']['todos'] }
  | { read: ReadFile | Unreadable }

const rowsAtOnce = 2_000

function tell(message: FromWorker): void {
  postMessage(message)
}

addEventListener('message', async ({ data: { file, context } }: MessageEvent<FileToRead>) => {
  tell({ read: await read(file, context) })
})

async function read(file: File, context: ReaderContext): Promise<ReadFile | Unreadable> {
  try {
    const opened = await openFile(file, (progress) => tell({ progress }))
    if ('problem' in opened) return opened
    const whole = readFile(opened, context)
    if ('problem' in whole) return whole
    const { rows } = whole.reading
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      const to = from + rowsAtOnce
      tell({ rows: rows.slice(from, to), targets: whole.targets.slice(from, to) })
    }
    const { todos } = whole.toShow
    for (let from = 0; from < todos.length; from += rowsAtOnce) {
      tell({ todos: todos.slice(from, from + rowsAtOnce) })
    }
    return {
      ...whole,
      // Leave out what was sent in parts, and what the page needs only as `toShow`.
      reading: { ...whole.reading, todos: [], habits: [], sessions: [], rows: [] },
      toShow: { ...whole.toShow, todos: [] },
      targets: [],
    }
  } catch (surprise) {
    console.warn('The file could not be read', surprise)
    return { problem: "This file couldn't be read." }
  }
}
