import { connect, createServer, type Socket } from 'node:net'
import { reroutedUrl } from './rerouted-url.ts'

interface Session {
  socket: Socket
  client?: Client | undefined
}

interface Client {
  socket: Socket
  session?: Session | undefined
  /** Messages that arrived while the client had no session. */
  held: Buffer[]
}

/**
 * A pooler like PgBouncer in front of a server that asks for no password. A client gets one of a few sessions for the length of a
 * transaction, or with `sessionMode` until it disconnects. Messages from a session without a client, such as notifications, are
 * lost. Supports neither encryption nor cancelling.
 */
export async function transactionPooler(
  url: string,
  { sessions: most = 3, sessionMode = false } = {},
): Promise<{ url: string; close(): void }> {
  const { hostname, port, username, pathname } = new URL(url)
  const sockets = new Set<Socket>()
  const sessions = new Set<Session>()
  const free: Session[] = []
  const line: Client[] = []

  const server = createServer((socket) => {
    keep(socket)
    const client: Client = { socket, held: [] }
    let greeted = false
    onMessages(socket, false, (message, type) => {
      if (!greeted) {
        greeted = true
        socket.write(greeting())
      } else if (type === 'X') socket.destroy()
      else if (client.session) client.session.socket.write(message)
      else {
        if (client.held.push(message) === 1) line.push(client)
        serve()
      }
    })
    socket.on('close', () => {
      if (line.includes(client)) line.splice(line.indexOf(client), 1)
      // Ending the session undoes what the client began.
      client.session?.socket.destroy()
    })
  })

  function keep(socket: Socket): void {
    sockets.add(socket)
    socket.setNoDelay().on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  }

  /** Assigns sessions to waiting clients, and opens another session if there may be more. */
  function serve(): void {
    while (line.length > 0) {
      const session = free.pop()
      if (!session) {
        if (sessions.size < most) open()
        return
      }
      const client = line.shift()
      if (!client) return
      session.client = client
      client.session = session
      for (const message of client.held.splice(0)) session.socket.write(message)
    }
  }

  function open(): void {
    const socket = connect(Number(port || 5432), hostname)
    keep(socket)
    const session: Session = { socket }
    sessions.add(session)
    const words = Buffer.from(['user', username, 'database', pathname.slice(1), '', ''].join('\0'))
    socket.write(Buffer.concat([integers(words.length + 8, 196_608), words]))
    onMessages(socket, true, (message, type) => {
      const { client } = session
      client?.socket.write(message)
      // Continue only if the server is ready for a query and not in a transaction.
      if (type !== 'Z' || message.at(-1) !== 'I'.charCodeAt(0) || (sessionMode && client)) return
      if (client) client.session = undefined
      session.client = undefined
      free.push(session)
      serve()
    })
    socket.on('close', () => {
      sessions.delete(session)
      if (free.includes(session)) free.splice(free.indexOf(session), 1)
      session.client?.socket.destroy()
      serve()
    })
  }

  const rerouted = await reroutedUrl(url, server)
  return {
    url: rerouted,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Calls `take` with each complete message. A client's first message has no type letter in front. */
function onMessages(
  socket: Socket,
  firstHasType: boolean,
  take: (message: Buffer, type: string) => void,
): void {
  let before = firstHasType ? 1 : 0
  let rest = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, Buffer.from(chunk)])
    while (rest.length >= before + 4) {
      const length = before + rest.readInt32BE(before)
      if (rest.length < length) return
      const message = rest.subarray(0, length)
      rest = rest.subarray(length)
      const type = message.toString('latin1', 0, before)
      before = 1
      take(message, type)
    }
  })
}

/** The messages that tell a client that it is logged in, to an invented session. */
function greeting(): Buffer {
  const messages: [string, Buffer][] = [
    ['R', integers(0)],
    ['S', Buffer.from('client_encoding\0UTF8\0')],
    ['K', integers(-1 - Math.floor(Math.random() * 2 ** 30), 1)],
    ['Z', Buffer.from('I')],
  ]
  return Buffer.concat(
    messages.flatMap(([type, body]) => [Buffer.from(type), integers(body.length + 4), body]),
  )
}

function integers(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4)
  for (const [place, number] of numbers.entries()) bytes.writeInt32BE(number, place * 4)
  return bytes
}
