import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { createAuth } from '#features/account/server/auth.ts'
import { cutIntoPieces } from '#features/your-data/pieces.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import { keptPushKeys } from '#platform/push/push-key-store.ts'
import { openPusher } from '#platform/push/pusher.ts'
import { createApp } from '../api.ts'
import { demoAccount, demoHabitLetGo, demoPerson } from './demo-account.ts'

/** Signs the person of the demo up on an empty database and brings in their year, over the wire as anybody's would be. */
export async function makeDemo(database: Database, now: Instant, zone: string): Promise<void> {
  const log = pino({ level: 'silent' })
  const settings = { baseUrl: undefined, signUp: 'open', proxies: 0, rateLimit: false } as const
  // Whatever is signed with it is signed out in the end.
  const auth = createAuth(database, { secret: randomBytes(48).toString('base64url'), ...settings }, log)
  // Nobody is pushed to: the person of the demo has let no browser.
  const pusher = openPusher(
    { contact: 'mailto:demo@daymark.example', to: 'internet' },
    () => keptPushKeys(database),
    () => now,
  )
  const app = createApp({ database, auth, pusher, settings, log, clock: () => now })
  let cookie = ''
  const ask = async (method: string, path: string, body: object) => {
    const headers = { host: 'localhost', 'content-type': 'application/json', cookie }
    const socket = { remoteAddress: '127.0.0.1' }
    const answer = await app.request(
      path,
      { method, headers, body: JSON.stringify(body) },
      { incoming: { socket } },
    )
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer
  }

  const signedUp = await ask('POST', '/api/auth/sign-up/email', demoPerson)
  cookie = signedUp.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
  const account = demoAccount(now, zone)
  const letGo = demoHabitLetGo(now, zone)
  for (const piece of cutIntoPieces({ ...account, habits: [...account.habits, letGo] }, true)) {
    await ask('POST', '/api/import', piece)
  }
  await ask('DELETE', `/api/habits/${letGo.id}`, {})
  await ask('POST', '/api/auth/sign-out', {})
  pusher.close()
}
