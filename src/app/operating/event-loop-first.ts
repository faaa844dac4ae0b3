import { readdir, readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'

// The folder with the threads of this process. libuv's threads process passwords and pictures. With few processors they would
// compete with the event loop, and everyone would wait for one person's password.

const tasks = '/proc/self/task'
/** With this niceness, a thread gets a tenth of the event loop's share of a busy processor, and all of an idle one. */
const niceness = 10

/**
 * Gives libuv's threads a lower priority than the event loop. Does nothing except on Linux, the only system with priorities
 * per thread.
 */
export async function putEventLoopFirst(): Promise<void> {
  // This read also makes libuv start all of its threads.
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
    // A sandbox may forbid changing priorities. The server still works, but less evenly.
  }
}
