import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { forward, listen } from './forward.ts'

/** The way to the server through a captive portal: the gateway of a hotel, which responds in its place until somebody signs in. */
export interface Portal {
  address: string
  /** From now on every request, for whatever file but this one, is answered with the portal's page, as if all were well. */
  shut(except?: string): void
  /** The same, from this many more requests on. */
  shutAfter(requests: number): void
  open(): void
  /** From now on a request waits this many milliseconds for its response. */
  slowDown(ms: number): void
  /** The paths that it has answered itself. */
  refused: readonly string[]
  stop(): Promise<void>
}

export const portalPage = '<!doctype html><title>Welcome to the hotel</title><h1>Please sign in</h1>'

/** `caching`: what the portal says of how long its page may be kept. */
export async function servePortal(api: string, caching = 'no-store'): Promise<Portal> {
  let delay = 0
  let left = Number.POSITIVE_INFINITY
  let allowed: string | undefined
  const refused: string[] = []
  const respondItself = (path: string, response: ServerResponse) => {
    refused.push(path)
    response.writeHead(200, { 'content-type': 'text/html', 'cache-control': caching }).end(portalPage)
  }
  const server = createServer(async (incoming, response) => {
    const { url = '' } = incoming
    left -= 1
    if (left < 0 && url !== allowed) return respondItself(url, response)
    if (delay > 0) await wait(delay)
    forward(api, incoming, response).catch(() => response.destroy())
  })
  const address = await listen(server)
  return {
    address,
    shut(except) {
      left = 0
      allowed = except
    },
    shutAfter(requests) {
      left = requests
    },
    open() {
      left = Number.POSITIVE_INFINITY
    },
    slowDown(ms) {
      delay = ms
    },
    refused,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
