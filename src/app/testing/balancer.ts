import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds between two checks whether a process is ready. */
const askEvery = 200

interface Backend {
  port: number
  isReady: boolean
}

/**
 * A load balancer like the proxies of docs/hosting.md. Sends requests in turn to the processes that report ready, and to the
 * next process if it cannot connect. A request that has been sent is never sent again.
 */
export async function startBalancer(ports: readonly number[]) {
  const backends: Backend[] = ports.map((port) => ({ port, isReady: true }))
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    turn += 1
    const ready = backends.filter(({ isReady }) => isReady)
    const inTurn = [...ready.slice(turn % (ready.length || 1)), ...ready.slice(0, turn % (ready.length || 1))]
    pass(incoming, outgoing, inTurn)
  })

  function pass(incoming: IncomingMessage, outgoing: ServerResponse, [next, ...others]: Backend[]): void {
    if (!next) {
      outgoing.writeHead(502).end('no process is ready')
      return
    }
    const { method, url, headers } = incoming
    const forwarded = request({ port: next.port, host: '127.0.0.1', method, path: url, headers, agent })
    forwarded.once('response', (response) => {
      const { connection, ...kept } = response.headers
      outgoing.writeHead(response.statusCode ?? 502, kept)
      response.pipe(outgoing)
    })
    forwarded.once('error', (error) => {
      if ('code' in error && error.code === 'ECONNREFUSED') pass(incoming, outgoing, others)
      else if (!outgoing.headersSent) outgoing.writeHead(502).end(error.message)
      else outgoing.destroy()
    })
    incoming.pipe(forwarded)
  }

  let open = true
  async function askForHealth(): Promise<void> {
    while (open) {
      await Promise.all(
        backends.map(async (backend) => {
          const response = await fetch(`http://127.0.0.1:${backend.port}/api/health/ready`).catch(
            () => undefined,
          )
          await response?.body?.cancel()
          backend.isReady = response?.status === 200
        }),
      )
      await pause(askEvery)
    }
  }
  const asking = askForHealth()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  return {
    address: `http://127.0.0.1:${address.port}`,
    add: (port: number) => void backends.push({ port, isReady: false }),
    async close() {
      open = false
      await asking
      agent.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}
