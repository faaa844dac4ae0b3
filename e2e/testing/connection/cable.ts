import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { connect as connectTo } from 'node:net'
import type { Duplex } from 'node:stream'

/** What connects one browser to the server: a proxy. */
export interface Cable {
  address: string
  /** Cuts every connection, and lets nothing through until `plugIn`. */
  pull(): void
  plugIn(): void
  close(): Promise<void>
}

/**
 * A browser behind it is offline beyond doubt while it is pulled. Chromium's own emulation misses requests of a service worker
 * that has just started.
 */
export async function connect(): Promise<Cable> {
  let pulled = false
  const sockets = new Set<Duplex>()
  const server = createServer((incoming, response) => {
    const { method, headers } = incoming
    const outgoing = request(incoming.url ?? '', { method, headers }, (passed) => {
      response.writeHead(passed.statusCode ?? 502, passed.rawHeaders)
      passed.pipe(response)
    })
    const cut = () => response.destroy()
    outgoing.on('error', cut)
    response.once('close', () => outgoing.destroy())
    incoming.on('error', cut).pipe(outgoing)
  })
  // The browser asks the proxy for each file; the test's own requests ask it for a tunnel.
  server.on('connect', ({ url = '' }, client: Duplex) => {
    const { hostname, port } = new URL(`http://${url}`)
    const tunnel = connectTo(Number(port), hostname, () => client.write('HTTP/1.1 200 OK\r\n\r\n'))
    tunnel.on('error', () => client.destroy()).pipe(client)
    client.on('error', () => tunnel.destroy()).pipe(tunnel)
  })
  server.on('connection', (socket) => {
    if (pulled) return socket.destroy()
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  const cut = () => {
    pulled = true
    for (const socket of sockets) socket.destroy()
  }
  return {
    address: `http://127.0.0.1:${address.port}`,
    pull: cut,
    plugIn() {
      pulled = false
    },
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
