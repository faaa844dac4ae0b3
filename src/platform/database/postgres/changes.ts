import { randomUUID } from 'node:crypto'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import pg from 'pg'
import * as z from 'zod/mini'
import { type Change, Changes } from '../changes.ts'

const channel = 'daymark_changes'
/** The most bytes to send in one notification; PostgreSQL allows 7,999. */
const maxBytes = 7_000
/**
 * How many messages are queued while the server is slow or unreachable. With more, every listener is told to look for changes.
 */
const maxQueued = 1_000
const longestBackOff = 5_000
const pingEvery = 30_000
/**
 * Milliseconds after which a connection counts as stable. If a connection breaks sooner, the next one is opened after a longer
 * wait: otherwise connections would be opened ten times a second.
 */
const stableAfter = 10_000

/**
 * A change as processes send it to each other. Their builds may differ, so the property names never change. `lists` are the
 * collections.
 */
const changeSchema = z.object({
  revision: z.string(),
  before: z.optional(z.string()),
  lists: z.array(z.string()),
})
/** The user id and, if known, what changed. */
const messageSchema = z.union([z.tuple([z.string()]), z.tuple([z.string(), changeSchema])])
/** The id of the sending process and its messages. An empty list means that some of its messages were lost. */
const notificationSchema = z.tuple([z.string(), z.array(messageSchema)])
type Message = z.infer<typeof messageSchema>

/** Another channel to listen to on the same connection. */
interface OtherChannel {
  channel: string
  receive(): void
}

interface Connection {
  client: pg.Client
  giveUp(): void
}

/**
 * Shares the changes of all processes on one PostgreSQL through LISTEN and NOTIFY on a dedicated connection. Messages are lost
 * while that connection is broken or too slow. As soon as possible afterwards, every listener in every process is told to look
 * for changes. Why notifications are not part of the write: docs/decisions/0026-live-by-events.md.
 */
export function postgresChanges(
  settings: pg.ClientConfig,
  other?: OtherChannel,
): { changes: Changes; close(): Promise<void> } {
  const ownId = randomUUID()
  const closed = new AbortController()
  let queued: Message[] = []
  let lost = false
  let connected: Connection | undefined
  let sending: Promise<void> | undefined
  let running: Promise<void> | undefined

  const ensureConnected = () => {
    if (!closed.signal.aborted) running ??= stayConnected()
  }
  const changes = new Changes({
    onListen: ensureConnected,
    forward(user, change) {
      ensureConnected()
      if (queued.length < maxQueued) queued.push(messageFor(user, change))
      else lost = true
      send()
    },
  })

  function send(): void {
    if (connected && (lost || queued.length > 0)) sending ??= sendAll(connected)
  }

  /** Sends the queued messages. Messages that arrive during a notification go into the next one together. */
  async function sendAll(connection: Connection): Promise<void> {
    try {
      await setImmediate()
      while (connection === connected && (lost || queued.length > 0)) {
        const messages = lost ? [] : takeBatch()
        // All listeners will look for changes, and then also find those in the queued messages.
        if (lost) queued = []
        lost = false
        await notify(connection.client, messages)
      }
    } catch {
      lost = true
      connection.giveUp()
    } finally {
      sending = undefined
      // A new connection may have been opened meanwhile.
      send()
    }
  }

  async function notify(client: pg.Client, messages: readonly Message[]): Promise<void> {
    await client.query('select pg_notify($1, $2)', [channel, JSON.stringify([ownId, messages])])
  }

  function takeBatch(): Message[] {
    let bytes = 0
    const tooMany = queued.findIndex((message) => {
      bytes += Buffer.byteLength(JSON.stringify(message)) + 1
      return bytes > maxBytes
    })
    return queued.splice(0, tooMany === -1 ? queued.length : Math.max(1, tooMany))
  }

  async function stayConnected(): Promise<void> {
    for (let failures = 0; !closed.signal.aborted; failures += 1) {
      const client = new pg.Client(settings)
      const broken = Promise.withResolvers<void>()
      let connectedAt = Number.POSITIVE_INFINITY
      client.on('error', () => broken.resolve())
      client.on('end', () => broken.resolve())
      client.on('notification', (heard) => {
        if (heard.channel === other?.channel) other.receive()
        else receive(heard.payload)
      })
      try {
        await client.connect()
        await client.query(`listen ${channel}`)
        if (other) await client.query(`listen ${other.channel}`)
        connectedAt = performance.now()
        connected = {
          client,
          giveUp() {
            connected = undefined
            broken.resolve()
          },
        }
        changes.notifyAll()
        send()
        await Promise.race([broken.promise, keepPinging(client)])
      } catch {
        // The connection could not be opened, it broke, or we are closing.
      }
      connected = undefined
      if (closed.signal.aborted) return client.end()
      lost ||= queued.length > 0
      if (performance.now() - connectedAt >= stableAfter) failures = 0
      // On a dead connection, waiting for a clean close would take forever.
      client.end().catch(() => {})
      const wait = Math.min(longestBackOff, 100 * 2 ** failures) * (0.5 + Math.random() / 2)
      await pause(wait, undefined, { signal: closed.signal }).catch(() => {})
    }
  }

  /**
   * Rejects when a ping gets no response, since a network that silently drops packets reports nothing. Also rejects on closing.
   */
  async function keepPinging(client: pg.Client): Promise<void> {
    for (;;) {
      await pause(pingEvery, undefined, { signal: closed.signal })
      await client.query('select 1')
    }
  }

  function receive(payload = ''): void {
    const notification = notificationSchema.safeParse(parsed(payload)).data
    if (!notification) return
    const [from, messages] = notification
    // Our own messages have been delivered already.
    if (from === ownId) return
    if (messages.length === 0) changes.notifyAll()
    for (const message of messages) changes.receive(message[0], changeIn(message))
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

function messageFor(user: string, change: Change | undefined): Message {
  if (!change) return [user]
  const { revision, before, collections } = change
  return [user, { revision, before, lists: [...collections] }]
}

function changeIn([, sent]: Message): Change | undefined {
  if (!sent) return undefined
  const { lists, ...rest } = sent
  return { ...rest, collections: lists }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
