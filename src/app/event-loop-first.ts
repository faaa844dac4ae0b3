import { readdir, readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'

// Passwords and pictures are worked on by libuv's threads. Where there are few processors they would take turns with the
// event loop, and everybody would wait for the password of one.

const tasks = '/proc/self/task'
/** A tenth of the event loop's share of a processor that both want; all of one that is free. */
const niceness = 10

/** Has libuv's threads stand back behind the event loop. Only Linux tells threads apart; elsewhere nothing happens. */
export async function putEventLoopFirst(): Promise<void> {
  // Reading the folder is what makes libuv start all of its threads.
  const threads = await readdir(tasks).catch(() => [])
  for (const thread of threads.map(Number)) {
    const name = await readFile(`${tasks}/${thread}/comm`, 'utf8').catch(() => '')
    if (name.trim() === 'libuv-worker') standBack(thread)
  }
}

function standBack(thread: number): void {
  try {
    setPriority(thread, niceness)
  } catch {
    // Whoever confines a server may forbid it. It serves all the same, only less evenly.
  }
}
