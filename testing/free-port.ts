import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Of this machine's own address. Whoever asks has to take it soon. */
export async function freePort(): Promise<number> {
  const port = await listenOnce(0)
  if (port === undefined) throw new Error('No free port')
  return port
}

/**
 * A free port whose next one is free as well. Below those that the system gives out, or a server that another test starts
 * meanwhile could be given one of them.
 */
export async function freePortPair(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000)
    if ((await listenOnce(port)) !== undefined && (await listenOnce(port + 1)) !== undefined) return port
  }
}

/** Resolves with the port, or with undefined if it is taken. */
async function listenOnce(port: number): Promise<number | undefined> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return undefined
  }
  const address = server.address()
  server.close()
  await once(server, 'close')
  return address === null || typeof address === 'string' ? undefined : address.port
}
