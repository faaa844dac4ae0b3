import { randomUUID } from 'node:crypto'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import pg from 'pg'
import * as z from 'zod'
import { type Change, Changes } from './changes.ts'

const channel = 'daymark_changes'
/** Of a notification PostgreSQL takes 7,999 bytes. */
const mostBytes = 7_000
/** More than this wait only while the server cannot be reached, and then everybody has to look anyway. */
const mostWaiting = 1_000
const longestBackOff = 5_000
const pingEvery = 30_000

const changeSchema = z.object({
  revision: z.string(),
  before: z.string().optional(),
  lists: z.array(z.string()),
})
/** Of whom, and what was told. */
const wordSchema = z.union([z.tuple([z.string()]), z.tuple([z.string(), changeSchema])])
/** Which process says it; no words at all where words of it were lost. */
const notificationSchema = z.tuple([z.string(), z.array(wordSchema)])
type Word = z.infer<typeof wordSchema>

/**
 * The changes of all processes on one PostgreSQL, by LISTEN and NOTIFY on a connection of its own. While that is broken,
 * words are lost; once it is back, everybody in every process is told to look.
 * Why not within the write: docs/decisions/0026-live-by-events.md.
 */
export function postgresChanges(settings: pg.ClientConfig): { changes: Changes; close(): Promise<void> } {
  const own = randomUUID()
  const closed = new AbortController()
  let waiting: Word[] = []
  let lost = false
  let connected: pg.Client | undefined
  let sending: Promise<void> | undefined
  let running: Promise<void> | undefined

  const begin = () => {
    if (!closed.signal.aborted) running ??= stayConnected()
  }
  const changes = new Changes({
    wanted: begin,
    passOn(user, change) {
      begin()
      if (waiting.length < mostWaiting) waiting.push(wordOf(user, change))
      else lost = true
      send()
    },
  })

  function send(): void {
    if (connected) sending ??= sendAll(connected)
  }

  /** Those that come while one notification is under way go into the next one together. */
  async function sendAll(client: pg.Client): Promise<void> {
    try {
      await setImmediate()
      while (waiting.length > 0 && client === connected) await notify(client, takeSome())
    } catch {
      // What connects says why, and begins anew.
      lost = true
    } finally {
      sending = undefined
    }
  }

  async function notify(client: pg.Client, words: readonly Word[]): Promise<void> {
    await client.query('select pg_notify($1, $2)', [channel, JSON.stringify([own, words])])
  }

  function takeSome(): Word[] {
    let bytes = 0
    const tooMany = waiting.findIndex((word) => {
      bytes += Buffer.byteLength(JSON.stringify(word)) + 1
      return bytes > mostBytes
    })
    return waiting.splice(0, tooMany === -1 ? waiting.length : Math.max(1, tooMany))
  }

  async function stayConnected(): Promise<void> {
    for (let failures = 0; !closed.signal.aborted; failures += 1) {
      const client = new pg.Client(settings)
      const broken = Promise.withResolvers<void>()
      client.on('error', () => broken.resolve())
      client.on('end', () => broken.resolve())
      client.on('notification', ({ payload }) => hear(payload))
      try {
        await client.connect()
        await client.query(`listen ${channel}`)
        if (lost) await notify(client, [])
        lost = false
        failures = 0
        connected = client
        changes.hearOfAll()
        send()
        await Promise.race([broken.promise, keepAsking(client)])
      } catch {
        // It could not be had, or it broke, or this is the end.
      }
      connected = undefined
      if (closed.signal.aborted) return client.end()
      lost ||= waiting.length > 0
      waiting = []
      // Where nothing passes any more, a farewell would wait for ever.
      client.end().catch(() => {})
      const wait = Math.min(longestBackOff, 100 * 2 ** failures) * (0.5 + Math.random() / 2)
      await pause(wait, undefined, { signal: closed.signal }).catch(() => {})
    }
  }

  /** Rejects when nothing comes back, which a network that swallows everything does not say, and at the end. */
  async function keepAsking(client: pg.Client): Promise<void> {
    for (;;) {
      await pause(pingEvery, undefined, { signal: closed.signal })
      await client.query('select 1')
    }
  }

  function hear(payload = ''): void {
    const notification = notificationSchema.safeParse(parsed(payload)).data
    if (!notification) return
    const [from, words] = notification
    // Its own are heard already.
    if (from === own) return
    if (words.length === 0) changes.hearOfAll()
    for (const [user, change] of words) changes.hear(user, change)
  }

  return {
    changes,
    async close() {
      await sending
      closed.abort()
      await running
    },
  }
}

function wordOf(user: string, change: Change | undefined): Word {
  return change ? [user, { ...change, lists: [...change.lists] }] : [user]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
