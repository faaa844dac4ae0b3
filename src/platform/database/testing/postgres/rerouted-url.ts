import { once } from 'node:events'
import type { Server } from 'node:net'

/** Lets a proxy listen on a free port. Resolves with the URL of a database, rerouted through it. */
export async function reroutedUrl(url: string, proxy: Server): Promise<string> {
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('no free port')
  const rerouted = new URL(url)
  rerouted.hostname = '127.0.0.1'
  rerouted.port = String(address.port)
  return rerouted.href
}
