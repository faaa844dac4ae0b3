import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import pg from 'pg'
import { DatabaseSettingError, reasonOf } from '../storage/database-error.ts'

/** Milliseconds to wait for a response, or for a notification that this process sends to itself. */
const patience = 5_000

/**
 * Whether there is a pooler such as PgBouncer between `client` and the database. Behind a pooler, session state that one
 * statement leaves may be missing for the next. Throws a DatabaseSettingError if processes could not notify each other through
 * the pooler, or if `direct` does not lead to the same database without a pooler. `settings` are those of `client`.
 */
export async function findPooler(
  client: pg.ClientBase,
  settings: pg.ClientConfig,
  direct: pg.ClientConfig | undefined,
): Promise<boolean> {
  // A pooler has to invent the process id that PostgreSQL sends when a connection starts, so the id differs from the session's.
  const isPooler = 'processID' in client && client.processID !== (await sessionOf(client))
  if (direct) await checkDirect(client, direct)
  else if (isPooler && (await switchesSessions(client, settings))) {
    throw new DatabaseSettingError(
      "DATABASE_URL leads to a pooler in transaction mode, through which devices cannot hear of each other's changes; " +
        'set DATABASE_DIRECT_URL to the address of the database itself',
    )
  }
  return isPooler
}

async function checkDirect(client: pg.ClientBase, direct: pg.ClientConfig): Promise<void> {
  let leadsTo: string | undefined
  try {
    leadsTo = await withClient(direct, async (listening) => {
      if (await receives(listening, client)) return undefined
      if (await switchesSessions(listening, direct))
        return 'a pooler in transaction mode too, and not past it'
      return 'another database than DATABASE_URL'
    })
  } catch (error) {
    leadsTo = `no database that can be used: ${reasonOf(error)}`
  }
  if (leadsTo !== undefined) throw new DatabaseSettingError(`DATABASE_DIRECT_URL leads to ${leadsTo}`)
}

async function receives(listening: pg.Client, notifying: pg.ClientBase): Promise<boolean> {
  const channel = `daymark_proof_${randomUUID().replaceAll('-', '')}`
  await listening.query(`listen ${channel}`)
  const received = once(listening, 'notification', { signal: AbortSignal.timeout(patience) }).then(
    () => true,
    () => false,
  )
  await notifying.query(`notify ${channel}`)
  return received
}

/**
 * Detects a pooler in transaction mode, in which two connections get the same session in turn, or one connection gets several. In
 * other modes each connection has its own session; if none is left, the second connection waits in vain.
 */
async function switchesSessions(client: pg.ClientBase, settings: pg.ClientConfig): Promise<boolean> {
  const looking = withClient(settings, async (other) => {
    const own = new Set<number>()
    const ofOther = new Set<number>()
    // Several rounds, because another process may take the session in between.
    for (let round = 0; round < 5; round += 1) {
      own.add(await sessionOf(client))
      ofOther.add(await sessionOf(other))
      if (own.size > 1 || !own.isDisjointFrom(ofOther)) return true
    }
    return false
  })
  return looking.catch(() => false)
}

async function sessionOf(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

async function withClient<T>(settings: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...settings, query_timeout: patience })
  // A query on a broken connection fails by itself. Without this listener, the error would also end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    // On a dead connection, waiting for a clean close would take forever.
    client.end().catch(() => {})
  }
}
