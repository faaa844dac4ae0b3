import { once } from 'node:events'
import { type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'

/** Forwards to the server at `api`, which accepts only requests from its own origin. */
export async function forward(
  api: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method, url, headers } = incoming
  const { host } = new URL(api)
  const own = { ...headers, host, ...(headers.origin !== undefined && { origin: api }) }
  const outbound = request(`${api}${url}`, { method, headers: own })
  outgoing.on('close', () => outbound.destroy())
  incoming.pipe(outbound)
  const [response] = await once(outbound, 'response')
  outgoing.writeHead(response.statusCode, response.rawHeaders)
  await pipeline(response, outgoing)
}

/** Listens on a free port of this machine. Returns the address. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const listening = server.address()
  if (listening === null || typeof listening === 'string') throw new Error('No port')
  return `http://localhost:${listening.port}`
}
