// Appends to a bare file beside the database, as durably as a database does, and records how long each write took: no
// server can be faster than the disk. Forked by ../attacks.mjs, which sends one message at a time: `watch`, then `tell`.
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds from one write to the next. */
const pace = 10
const page = Buffer.alloc(4_096)

let watching = false
/** @type {Promise<number[]>} */
let seen = Promise.resolve([])

process.on('message', (/** @type {{ watch: { folder: string } } | { tell: true }} */ message) => {
  if ('watch' in message) {
    watching = true
    seen = appendDurably(message.watch.folder)
    // `tell` reports a failure.
    seen.catch(() => {})
    process.send?.({})
    return
  }
  watching = false
  seen.then(
    (times) => process.send?.({ times }),
    (error) => process.send?.({ failed: error instanceof Error ? error.stack : String(error) }),
  )
})
process.once('disconnect', () => process.exit())

/** @param {string} folder */
async function appendDurably(folder) {
  const file = await open(join(folder, 'bare-writes'), 'w')
  const times = []
  while (watching) {
    const started = performance.now()
    await file.write(page)
    await file.sync()
    const took = performance.now() - started
    times.push(took)
    await pause(Math.max(1, pace - took))
  }
  await file.close()
  return times
}
