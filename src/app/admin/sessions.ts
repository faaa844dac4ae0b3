import { endSessionsOfAll, listSessionsOf } from '#features/account/server/admin-store.ts'
import { endAllSessions } from '#features/account/session/server/session-store.ts'
import { wordFor } from '#platform/format/words.ts'
import type { CommandResult, Context } from './command.ts'
import { formatTableCell, table } from './format.ts'
import { userOf } from './users.ts'

export async function listSessions(context: Context, email: string): Promise<CommandResult> {
  const user = await userOf(context, email)
  const sessions = await listSessionsOf(context.database, user.id, context.now)
  const rows = sessions.map(({ usedAt, begunAt, address = '-', browser = '-' }) => [
    formatTableCell(usedAt),
    formatTableCell(begunAt),
    address,
    browser,
  ])
  const text =
    rows.length === 0
      ? `${user.email} is not signed in anywhere.`
      : table(['LAST USED (UTC)', 'SINCE', 'ADDRESS', 'BROWSER'], rows)
  return { text, json: sessions }
}

export async function endSessions(context: Context, email: string): Promise<CommandResult> {
  const user = await userOf(context, email)
  return { text: formatEnded(await endAllSessions(context.database, user.id)) }
}

export async function endEverySession({ database }: Context): Promise<CommandResult> {
  return { text: formatEnded(await endSessionsOfAll(database)) }
}

function formatEnded(count: number): string {
  return `${count} ${wordFor(count, 'browser')} signed out: at once for whatever is asked, within 25 seconds for what streams.`
}
