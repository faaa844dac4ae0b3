import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { loggable } from '#platform/log/loggable.ts'
import type { Failure } from '#platform/wire/failure.ts'
import { Arrivals, usualPace } from './arrival.ts'
import type { HttpHandler, HttpResponse } from './context.ts'
import { inJson } from './error-response.ts'
import { livePath } from './health-path.ts'
import { NodeRequest, send } from './node-adapter.ts'
import { pathOf } from './request-path.ts'
import { TimedResponse } from './timed-response.ts'

export interface Listening {
  port: number
  /** From now on, every response closes its connection, so that clients open the next one to another process. */
  drain(): void
  /**
   * Accepts no more connections and finishes the requests under way; requests left after `patience` milliseconds are cut off.
   */
  close(patience: number): Promise<void>
}

/** Holds the handler for requests; assigning another handler replaces it for later requests. */
export interface CurrentHandler {
  respond: HttpHandler
}

/** Handles requests while the database is still being opened, which takes long during a migration. */
export function notYet(version: string): HttpHandler {
  const headers = { 'Cache-Control': 'no-store' }
  return ({ target }) =>
    pathOf(target) === livePath
      ? inJson({ status: 200, body: { status: 'ok', version }, headers })
      : inJson({ status: 503, body: starting, headers: { ...headers, 'Retry-After': '1' } })
}

/** Rejects when it cannot listen on the address: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, `ENOTFOUND`. */
export async function listen(
  current: CurrentHandler,
  host: string,
  port: number,
  log: Logger,
  pace = usualPace,
): Promise<Listening> {
  const arrivals = new Arrivals(pace, cutSlow)
  let draining = false
  const server = createServer(
    {
      // Longer than a proxy keeps connections, so that a proxy never sends a request into a connection that is just being closed.
      keepAliveTimeout: 65_000,
      // The request listener refuses a missing host itself, with an error response in the application's format.
      requireHostHeader: false,
      ServerResponse: TimedResponse,
      headersTimeout: pace.headers,
      connectionsCheckingInterval: pace.lookEvery,
    },
    (incoming, outgoing) => {
      arrivals.add(incoming.socket, outgoing)
      if (draining) outgoing.shouldKeepAlive = false
      void respondOn(outgoing, incoming, current, log)
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
    drain() {
      draining = true
    },
    close: (patience) => close(server, sockets, patience).finally(() => arrivals.close()),
  }
}

/** Sends the handler's response. Never rejects. */
async function respondOn(
  outgoing: TimedResponse,
  incoming: IncomingMessage,
  current: CurrentHandler,
  log: Logger,
): Promise<void> {
  let response = refuseTarget(incoming)
  try {
    response ??= await current.respond(new NodeRequest(incoming, outgoing, pathWithQuery(incoming)))
    send(outgoing, incoming.method, response)
    if (!incoming.complete) outgoing.once('finish', () => endUnlessArrived(incoming))
  } catch (error) {
    log.error({ error: loggable(error) }, 'A request could not be answered')
    if (!outgoing.headersSent) send(outgoing, incoming.method, lastOf({ status: 500, body: broken }))
    else outgoing.destroy()
  }
}

/** Milliseconds for the rest of a body to arrive after its response was sent; those bytes are discarded. */
const arrivesWithin = 500

function endUnlessArrived(incoming: IncomingMessage): void {
  setTimeout(() => {
    if (!incoming.complete) incoming.socket.destroySoon()
  }, arrivesWithin).unref()
}

/** Makes a response that closes its connection. */
function lastOf(response: { status: number; body: Failure }): HttpResponse {
  return inJson({ ...response, headers: { Connection: 'close' } })
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

const wholeAddress = /^https?:/i
/** A host name or an address, with an optional port. */
const oneHost = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i

/** Refuses a host or target that no browser sends: it does not clearly say which site is meant. */
function refuseTarget(incoming: IncomingMessage): HttpResponse | undefined {
  const { url = '', headers } = incoming
  if (!namesOneHost(incoming)) return lastOf({ status: 400, body: severalHosts })
  const isReadable =
    oneHost.test(headers.host ?? '') &&
    (url.startsWith('/') || wholeAddress.test(url)) &&
    !/^[^?]*\\/.test(url)
  return isReadable ? undefined : lastOf({ status: 400, body: unreadable })
}

/**
 * Refuses requests that name two hosts. Node takes the first, while a proxy may have used the second; an absolute URL names
 * a host too.
 */
function namesOneHost({ rawHeaders, url = '', headers }: IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) return false
  return !wholeAddress.test(url) || (URL.canParse(url) && new URL(url).host === headers.host?.toLowerCase())
}

function pathWithQuery({ url = '' }: IncomingMessage): string {
  if (!wholeAddress.test(url)) return url
  const { pathname, search } = new URL(url)
  return pathname + search
}

// Requests that Node's parser refuses never reach the application; they get an error response in the same format here.
function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  // A connection without any bytes has no request to respond to: browsers open connections ahead of need.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) socket.destroy()
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') endWith(socket, 408, tooSlow)
  else endWith(socket, unreadableStatus[error.code ?? ''] ?? 400, unreadable)
}

// Cuts off a request that arrives too slowly. All code that waits for its body fails with the connection. If the response was
// already sent, nothing is added.
function cutSlow({ req: { socket }, headersSent }: ServerResponse): void {
  if (headersSent || !socket.writable) {
    socket.destroy()
    return
  }
  socket.once('finish', () => socket.destroy())
  endWith(socket, 408, tooSlow)
}

/** Milliseconds for a client to read the reason before its connection is closed. */
const readWithin = 1_000

function endWith(socket: Socket, status: number, failure: Failure): void {
  const body = JSON.stringify(failure)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  // The client may never close its end, and nothing else would clean up this connection.
  setTimeout(() => socket.destroy(), readWithin).unref()
}

async function close(server: Server, sockets: ReadonlySet<Socket>, patience: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // Node counts a connection that never sent anything as busy; browsers open such connections ahead of need.
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  // A connection becomes idle after its last response, and nothing else would close it.
  const sweeping = setInterval(() => server.closeIdleConnections(), 25)
  const cutting = setTimeout(() => server.closeAllConnections(), patience)
  await closed
  clearInterval(sweeping)
  clearTimeout(cutting)
}
