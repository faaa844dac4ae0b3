import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
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
