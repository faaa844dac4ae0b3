import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { createAuth } from '#features/account/server/auth.ts'
import { splitIntoPieces } from '#features/your-data/pieces.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { readOrCreatePushKeys } from '#platform/push/push-key-store.ts'
import { openPusher } from '#platform/push/pusher.ts'
import { createApp } from '../api.ts'
import { userTables } from '../row-kinds.ts'
import { demoAccount, demoDeletedHabit, demoPerson } from './demo-account.ts'

/** Signs up the demo person on an empty database and imports their year through the API, as anybody would. */
export async function makeDemo(database: Database, now: Instant, zone: string): Promise<void> {
  const log = pino({ level: 'silent' })
  const settings = { baseUrl: undefined, signUp: 'open', proxies: 0, rateLimit: false } as const
  // Use a secret that nobody keeps: every sign-in made with it then becomes invalid.
  const auth = createAuth(
    database,
    { secret: randomBytes(48).toString('base64url'), ...settings, userTables },
    log,
  )
  // The pusher sends nothing, since the demo person has allowed no browser.
  const pusher = openPusher(
    { contact: 'mailto:demo@daymark.example', to: 'internet' },
    () => readOrCreatePushKeys(database),
    () => now,
  )
  const app = createApp({ database, auth, pusher, settings, log, clock: () => now })
  let cookie = ''
  const send = async (method: string, path: string, body: object) => {
    const headers = { host: 'localhost', 'content-type': 'application/json', cookie }
    const init = { method, headers, body: JSON.stringify(body) }
    const response = await app.request(path, init, { address: '127.0.0.1' })
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
    return response
  }

  const signedUp = await send('POST', '/api/auth/sign-up/email', demoPerson)
  cookie = signedUp.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
  const account = demoAccount(now, zone)
  const deletedHabit = demoDeletedHabit(now, zone)
  for (const piece of splitIntoPieces({ ...account, habits: [...account.habits, deletedHabit] }, true)) {
    await send('POST', '/api/import', piece)
  }
  await send('DELETE', `/api/habits/${deletedHabit.id}`, {})
  await send('POST', '/api/auth/sign-out', {})
  pusher.close()
}
