import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { Logger } from 'pino'
import type { Failure } from '#platform/wire/failure.ts'
import { TimedResponse } from './answered.ts'
import { Arrivals, usualPace } from './arrival.ts'
import type { HttpApp } from './context.ts'
import { loggable } from './request-log.ts'

export interface Listening {
  port: number
  /**
   * Takes no more connections and answers the requests that are under way; what is not done after
   * `patience` milliseconds is cut off.
   */
  close(patience: number): Promise<void>
}

/** Bytes that a connection takes in any case, since they fit into its buffers. */
const takenAtOnce = 16 * 2 ** 10
/** Milliseconds after which whoever takes nothing of a longer answer is cut off. */
const patience = 30_000

/** What answers the requests; what is put into it answers from then on. */
export interface Door extends Pick<HttpApp, 'fetch'> {
  /** Asked before `fetch`. */
  firstTry?: FirstTry
}

/**
 * An answer that needs nothing of the application's long way, or undefined where it does. What `readBody` has read is there
 * for the long way too; it holds all of the body at once, so its length has to be looked at before.
 */
export type FirstTry = (
  request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  readBody: () => Promise<Uint8Array>,
  /** On a socket. */
  outgoing?: ServerResponse,
) => Promise<FirstAnswer | undefined> | undefined

export interface FirstAnswer {
  status: number
  /** Names and values in turns. */
  headers: string[]
  body: Uint8Array | string | undefined
}

/** Answers while the data is still being opened, which an update of its tables can draw out. */
export function notYet(): Response {
  const headers = { 'Cache-Control': 'no-store', 'Retry-After': '1' }
  return Response.json(starting, { status: 503, headers })
}

/** Rejects when the address cannot be had: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, `ENOTFOUND`. */
export async function listen(
  door: Door,
  host: string,
  port: number,
  log: Logger,
  pace = usualPace,
): Promise<Listening> {
  const answer = getRequestListener((request, env) => door.fetch(request, env), {
    errorHandler: (error) => {
      const headers = { Connection: 'close' }
      if (error instanceof RequestError) return Response.json(unreadable, { status: 400, headers })
      log.error({ error: loggable(error) }, 'A request could not be answered')
      return Response.json(broken, { status: 500, headers })
    },
  })
  const arrivals = new Arrivals(pace, cutSlow)
  const server = createServer(
    {
      // Connections are kept longer than a proxy keeps them, so that it never sends into one that is just being closed.
      keepAliveTimeout: 65_000,
      // A missing host is left to the listener, which answers in our shape.
      requireHostHeader: false,
      ServerResponse: TimedResponse,
      headersTimeout: pace.headers,
      connectionsCheckingInterval: pace.lookEvery,
    },
    (incoming, outgoing) => {
      arrivals.add(incoming.socket, outgoing)
      if (!namesOneHost(incoming)) return send(outgoing, ambiguous)
      let body: Buffer | undefined
      const readBody = async () => {
        body = await readWhole(incoming)
        return body
      }
      const trying = door.firstTry?.(incoming, readBody, outgoing)
      if (!trying) return void answer(incoming, outgoing)
      const longWay = () => {
        // The listener looks here before it reads.
        if (body) Object.assign(incoming, { rawBody: body })
        answer(incoming, outgoing)
      }
      trying.then((first) => (first ? send(outgoing, first) : longWay()), longWay)
    },
  )
  server.on('clientError', refuseUnreadable)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: (patience) => close(server, sockets, patience).finally(() => arrivals.close()),
  }
}

function send(outgoing: ServerResponse, { status, headers, body }: FirstAnswer): void {
  // Whoever takes nothing of it would have it held for ever.
  if (body !== undefined && body.length > takenAtOnce) outgoing.setTimeout(patience)
  outgoing.writeHead(status, headers).end(body)
}

/** Rejects when it does not arrive whole. */
function readWhole(incoming: IncomingMessage): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let whole = false
  const over = () => {
    if (!whole) reject(new Error('The body did not arrive whole'))
  }
  // It may have been before anybody listened.
  if (incoming.destroyed) over()
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.once('end', () => {
    whole = true
    const [only] = chunks
    resolve(only && chunks.length === 1 ? only : Buffer.concat(chunks))
  })
  // Node does not speak of an error here where nobody listens to it.
  incoming.once('close', over)
  return promise
}

const starting = { code: 'STARTING', message: 'Daymark is starting. Try again in a moment.' }
const broken = { code: 'INTERNAL_ERROR', message: 'Something went wrong on the server.' }
const unreadable = { code: 'MALFORMED_REQUEST', message: "This isn't a valid HTTP request." }
const tooSlow = { code: 'TOO_SLOW', message: 'The request timed out.' }
const unreadableStatus: Record<string, number> = {
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
}
const severalHosts = { code: 'MALFORMED_REQUEST', message: 'This request names more than one host.' }
const ambiguous: FirstAnswer = {
  status: 400,
  headers: [
    ...['Connection', 'close', 'Content-Type', 'application/json'],
    ...['Content-Length', String(JSON.stringify(severalHosts).length)],
  ],
  body: JSON.stringify(severalHosts),
}

/**
 * Node takes the first of two hosts, a proxy in front may have gone by the second; the same holds for a target that is a whole
 * address. So nobody is asked who is meant.
 */
function namesOneHost({ rawHeaders, url = '', headers }: IncomingMessage): boolean {
  let hosts = 0
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) return false
  return !/^https?:/i.test(url) || (URL.canParse(url) && new URL(url).host === headers.host?.toLowerCase())
}

// What Node's parser refuses never reaches the application, but is answered in the same shape.
function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  // A browser connects ahead of need: there is no request yet that could be answered.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) socket.destroy()
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') endWith(socket, 408, tooSlow)
  else endWith(socket, unreadableStatus[error.code ?? ''] ?? 400, unreadable)
}

// Whatever waits for the body fails with the connection. Where the answer was sent already, nothing is to be said.
function cutSlow({ req: { socket }, headersSent }: ServerResponse): void {
  if (headersSent || !socket.writable) {
    socket.destroy()
    return
  }
  socket.once('finish', () => socket.destroy())
  endWith(socket, 408, tooSlow)
}

/** Milliseconds for a client to read why before the connection is taken from it. */
const lastWords = 1_000

function endWith(socket: Socket, status: number, failure: Failure): void {
  const body = JSON.stringify(failure)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  // The client need not close its end, and nobody would look at this connection again.
  setTimeout(() => socket.destroy(), lastWords).unref()
}

async function close(server: Server, sockets: ReadonlySet<Socket>, patience: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // Node counts a connection that never said anything as busy; browsers open such ones ahead of need.
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  // A connection falls idle when its last request is answered, and nothing else would close it then.
  const sweeping = setInterval(() => server.closeIdleConnections(), 25)
  const cutting = setTimeout(() => server.closeAllConnections(), patience)
  await closed
  clearInterval(sweeping)
  clearTimeout(cutting)
}
