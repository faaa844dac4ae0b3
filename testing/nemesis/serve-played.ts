// One life of a server process in a history: Daymark's own server, whose clock is a file of eight bytes that the player of the
// history writes. It loads the program and then waits for a message, so that the next life begins soon after a kill.
import { openSync, readSync } from 'node:fs'

const file = openSync(process.env.PLAYED_CLOCK ?? '', 'r')
const ahead = Number(process.env.PLAYED_AHEAD)
const bytes = Buffer.alloc(8)

// Read each time rather than sent: a request never finds an earlier clock than its sender saw.
function playedNow(): number {
  readSync(file, bytes, 0, 8, 0)
  return bytes.readDoubleLE() + ahead
}

const RealDate = Date
globalThis.Date = new Proxy(RealDate, {
  construct: (_, values, newTarget) =>
    Reflect.construct(RealDate, values.length === 0 ? [playedNow()] : values, newTarget),
  apply: () => new RealDate(playedNow()).toString(),
  get: (_, name) => (name === 'now' ? playedNow : Reflect.get(RealDate, name)),
})

const { start } = await import('#app/server.ts')
process.once('message', () => start(() => process.send?.('serves')))
process.once('disconnect', () => process.exit())
process.send?.('loaded')
