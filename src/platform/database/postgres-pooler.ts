import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import pg from 'pg'
import { DatabaseSettingRefusal, reasonOf } from './database-refusal.ts'

/** Milliseconds that an answer, or a word that is sent to oneself, may take. */
const patience = 5_000

/**
 * Whether a pooler such as PgBouncer stands before the database: what one statement leaves in its session, another one may
 * then not find. Throws a refusal where processes could not hear of each other's changes through it, and where `direct` does
 * not lead past it to the same database.
 */
export async function findPooler(
  settings: pg.ClientConfig,
  direct: pg.ClientConfig | undefined,
): Promise<boolean> {
  return withClient(settings, async (client) => {
    // What a connection is told when it begins, a pooler can only make up.
    const isPooler = 'processID' in client && client.processID !== (await sessionOf(client))
    if (direct) await proveDirect(client, direct)
    else if (isPooler && (await changesSessions(client, settings))) {
      throw new DatabaseSettingRefusal(
        "DATABASE_URL leads to a pooler in transaction mode, through which devices cannot hear of each other's changes; " +
          'set DATABASE_DIRECT_URL to the address of the database itself',
      )
    }
    return isPooler
  })
}

async function proveDirect(client: pg.Client, direct: pg.ClientConfig): Promise<void> {
  let leadsTo: string | undefined
  try {
    leadsTo = await withClient(direct, async (listening) => {
      if (await hears(listening, client)) return undefined
      if (await changesSessions(listening, direct)) return 'a pooler in transaction mode too, and not past it'
      return 'another database than DATABASE_URL'
    })
  } catch (error) {
    leadsTo = `no database that can be used: ${reasonOf(error)}`
  }
  if (leadsTo !== undefined) throw new DatabaseSettingRefusal(`DATABASE_DIRECT_URL leads to ${leadsTo}`)
}

async function hears(listening: pg.Client, telling: pg.Client): Promise<boolean> {
  const channel = `daymark_proof_${randomUUID().replaceAll('-', '')}`
  await listening.query(`listen ${channel}`)
  const heard = once(listening, 'notification', { signal: AbortSignal.timeout(patience) }).then(
    () => true,
    () => false,
  )
  await telling.query(`notify ${channel}`)
  return heard
}

/**
 * As in transaction mode: two connections meet the same session by turns, or one meets several. Otherwise a session is
 * one connection's own, and the second one may even wait in vain for another.
 */
async function changesSessions(client: pg.Client, settings: pg.ClientConfig): Promise<boolean> {
  const looking = withClient(settings, async (other) => {
    const own = new Set<number>()
    const ofOther = new Set<number>()
    // Another process may take the session in between.
    for (let round = 0; round < 5; round += 1) {
      own.add(await sessionOf(client))
      ofOther.add(await sessionOf(other))
      if (own.size > 1 || !own.isDisjointFrom(ofOther)) return true
    }
    return false
  })
  return looking.catch(() => false)
}

async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

async function withClient<T>(settings: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...settings, query_timeout: patience })
  // A query on a broken connection fails by itself; unheard, the error would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    // Where nothing passes any more, a farewell would wait for ever.
    client.end().catch(() => {})
  }
}
