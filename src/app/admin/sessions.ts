import { endSessionsOfAll, listSessionsOf } from '#features/account/server/admin-store.ts'
import { endAllSessions } from '#features/account/server/closed-account-store.ts'
import type { Context, Told } from './command.ts'
import { userOf } from './users.ts'
import { inTable, plural, table } from './words.ts'

export async function listSessions(context: Context, email: string): Promise<Told> {
  const user = await userOf(context, email)
  const sessions = await listSessionsOf(context.database, user.id, context.now)
  const rows = sessions.map(({ usedAt, begunAt, address = '-', browser = '-' }) => [
    inTable(usedAt),
    inTable(begunAt),
    address,
    browser,
  ])
  const says =
    rows.length === 0
      ? `${user.email} is not signed in anywhere.`
      : table(['LAST USED (UTC)', 'SINCE', 'ADDRESS', 'BROWSER'], rows)
  return { says, json: sessions }
}

export async function endSessions(context: Context, email: string): Promise<Told> {
  const user = await userOf(context, email)
  return { says: ended(await endAllSessions(context.database, user.id)) }
}

export async function endEverySession({ database }: Context): Promise<Told> {
  return { says: ended(await endSessionsOfAll(database)) }
}

function ended(count: number): string {
  return `${plural(count, 'browser')} signed out: at once for whatever is asked, within 25 seconds for what streams.`
}
