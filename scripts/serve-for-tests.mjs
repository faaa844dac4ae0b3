// The built app for the browser tests: on PORT, with an empty SQLite file that is removed at the end; or with that in
// DATA_FOLDER, which stays.
import crypto from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWebWhenChanged } from './web-build.mjs'

const given = process.env.DATA_FOLDER
const folder = given ?? mkdtempSync(join(tmpdir(), 'daymark-e2e-'))
const removeData = () => given ?? rmSync(folder, { recursive: true, force: true })
process.on('exit', removeData)

process.env.NODE_ENV = 'production'
process.env.DATABASE_URL = `sqlite:${join(folder, 'daymark.db')}`
process.env.RATE_LIMIT ??= 'off'

// Tests of what a day is begin on a day of their own choosing, for the server too.
if (process.env.CLOCK_BEGINS_AT) beginClockAt(Date.parse(process.env.CLOCK_BEGINS_AT))

// Nobody guesses at the passwords of these people: keeping them as safe as real ones took half of the server's time.
const { scrypt } = crypto
Object.assign(crypto, { scrypt: quickScrypt })
syncBuiltinESMExports()

// A runner that is killed does not end what it started. Nobody is left to close anything for.
const runner = process.ppid
setInterval(() => {
  if (process.ppid === runner) return
  removeData()
  process.kill(process.pid, 'SIGKILL')
}, 1000).unref()

await buildWebWhenChanged((line) => process.stderr.write(`${line}\n`))
const { start } = await import('../src/app/server.ts')
await start()

/**
 * @param {crypto.BinaryLike} password
 * @param {crypto.BinaryLike} salt
 * @param {number} length
 * @param {crypto.ScryptOptions} _cost
 * @param {(error: Error | null, key: Buffer) => void} done
 */
function quickScrypt(password, salt, length, _cost, done) {
  scrypt(password, salt, length, { N: 1024, r: 4, p: 1 }, done)
}

/** @param {number} instant epoch milliseconds */
function beginClockAt(instant) {
  const RealDate = Date
  const ahead = instant - RealDate.now()
  globalThis.Date = /** @type {DateConstructor} */ (
    class extends RealDate {
      /** @param {ConstructorParameters<typeof Date>} parts */
      constructor(...parts) {
        // @ts-expect-error Date takes any of several lists of parts, and they are handed on as they came.
        super(...(parts.length === 0 ? [RealDate.now() + ahead] : parts))
      }
      /** @override */
      static now() {
        return RealDate.now() + ahead
      }
    }
  )
}
