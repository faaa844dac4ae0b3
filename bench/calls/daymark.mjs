import { pino } from 'pino'
import { createApp } from '../../src/app/api.ts'
import { userTables } from '../../src/app/row-kinds.ts'
import { createAuth } from '../../src/features/account/server/auth.ts'
import { openDatabase } from '../../src/platform/database/opening/open-database.ts'
import { listen } from '../../src/platform/http/request/listen.ts'
import { readOrCreatePushKeys } from '../../src/platform/push/push-key-store.ts'
import { openPusher } from '../../src/platform/push/pusher.ts'

/**
 * A Daymark in this process that answers over HTTP.
 * @param {string} url of its database
 * @param {object} [options]
 * @param {() => number} [options.clock]
 * @param {'internet' | 'anywhere'} [options.pushTo]
 * @param {boolean} [options.rateLimit]
 */
export async function daymarkOn(url, { clock = Date.now, pushTo = 'internet', rateLimit = false } = {}) {
  const log = pino({ level: 'silent' })
  const database = await openDatabase(url)
  const settings = { baseUrl: undefined, signUp: /** @type {const} */ ('open'), proxies: 0, rateLimit }
  const secret = 'a secret of the benchmark that is long enough'
  const auth = createAuth(database, { secret, ...settings, userTables }, log)
  const pusher = openPusher(
    { contact: 'mailto:bench@daymark.example', to: pushTo },
    () => readOrCreatePushKeys(database),
    Date.now,
  )
  const parts = { database, auth, pusher, settings, log, clock, mail: undefined }
  const app = createApp({ ...parts, web: undefined })
  const listening = await listen(app, '127.0.0.1', 0, log)
  return { parts, app, database, listening, address: `http://127.0.0.1:${listening.port}` }
}
