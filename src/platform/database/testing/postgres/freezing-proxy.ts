import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { reroutedUrl } from './rerouted-url.ts'

export interface FreezingProxy {
  /** The given URL, rerouted through the proxy. */
  url: string
  /**
   * Lets nothing through from now on, like a hanging server or a network that drops packets. Resolves once something was sent in
   * vain.
   */
  freeze(): Promise<void>
  /** Breaks the existing connections. */
  cut(): void
  close(): void
}

/** A proxy to a PostgreSQL server that can be made to stop responding. */
export async function freezingProxy(url: string): Promise<FreezingProxy> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let frozen = false
  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => {})
    if (frozen) return
    const upstream = connect(Number(port || 5432), hostname)
    sockets.add(upstream)
    upstream.on('error', () => client.destroy())
    client.pipe(upstream).pipe(client)
  })
  const rerouted = await reroutedUrl(url, server)
  return {
    url: rerouted,
    freeze() {
      frozen = true
      for (const socket of sockets) socket.unpipe().resume()
      return Promise.race([...sockets].map(async (socket) => void (await once(socket, 'data'))))
    },
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
