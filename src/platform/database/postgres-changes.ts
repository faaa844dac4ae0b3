import { randomUUID } from 'node:crypto'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import pg from 'pg'
import * as z from 'zod/mini'
import { type Change, Changes } from './changes.ts'

const channel = 'daymark_changes'
/** Of a notification PostgreSQL takes 7,999 bytes. */
const mostBytes = 7_000
/** Behind a server that is slow or away; of more, everybody is told to look. */
const mostWaiting = 1_000
const longestBackOff = 5_000
const pingEvery = 30_000
/** A connection that broke sooner counts as a failure: it would be opened again ten times a second. */
const steady = 10_000

const changeSchema = z.object({
  revision: z.string(),
  before: z.optional(z.string()),
  lists: z.array(z.string()),
})
/** Of whom, and what was told. */
const wordSchema = z.union([z.tuple([z.string()]), z.tuple([z.string(), changeSchema])])
/** Which process says it; no words at all where words of it were lost. */
const notificationSchema = z.tuple([z.string(), z.array(wordSchema)])
type Word = z.infer<typeof wordSchema>

interface Connection {
  client: pg.Client
  giveUp(): void
}

/**
 * The changes of all processes on one PostgreSQL, by LISTEN and NOTIFY on a connection of its own. Words are lost while that
 * is broken, or too slow for them; as soon as it can be said, everybody in every process is told to look.
 * Why not within the write: docs/decisions/0026-live-by-events.md.
 */
export function postgresChanges(settings: pg.ClientConfig): { changes: Changes; close(): Promise<void> } {
  const own = randomUUID()
  const closed = new AbortController()
  let waiting: Word[] = []
  let lost = false
  let connected: Connection | undefined
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
    if (connected && (lost || waiting.length > 0)) sending ??= sendAll(connected)
  }

  /** Those that come while one notification is under way go into the next one together. */
  async function sendAll(connection: Connection): Promise<void> {
    try {
      await setImmediate()
      while (connection === connected && (lost || waiting.length > 0)) {
        const words = lost ? [] : takeSome()
        // Whoever looks finds what those that wait would have said.
        if (lost) waiting = []
        lost = false
        await notify(connection.client, words)
      }
    } catch {
      lost = true
      connection.giveUp()
    } finally {
      sending = undefined
      // By another connection, where there is one by now.
      send()
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
      let heldFrom = Number.POSITIVE_INFINITY
      client.on('error', () => broken.resolve())
      client.on('end', () => broken.resolve())
      client.on('notification', ({ payload }) => hear(payload))
      try {
        await client.connect()
        await client.query(`listen ${channel}`)
        heldFrom = performance.now()
        connected = {
          client,
          giveUp() {
            connected = undefined
            broken.resolve()
          },
        }
        changes.hearOfAll()
        send()
        await Promise.race([broken.promise, keepAsking(client)])
      } catch {
        // It could not be had, or it broke, or this is the end.
      }
      connected = undefined
      if (closed.signal.aborted) return client.end()
      lost ||= waiting.length > 0
      if (performance.now() - heldFrom >= steady) failures = 0
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
