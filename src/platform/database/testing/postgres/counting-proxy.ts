import { connect, createServer, type Socket } from 'node:net'
import { reroutedUrl } from './rerouted-url.ts'

/** The statements of each round trip: what was sent together, before anything was answered. */
export type RoundTrips = string[][]

export interface CountingProxy {
  /** The given URL, rerouted through the proxy. */
  url: string
  /** The round trips that `work` makes. Those of the connection that listens for changes are left out: nobody waits for them. */
  during(work: () => Promise<unknown>): Promise<RoundTrips>
  close(): void
}

/** A proxy to a PostgreSQL server that reads along and counts how often somebody has to wait for the server. */
export async function countingProxy(url: string): Promise<CountingProxy> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let trips: RoundTrips = []
  let isAnswered = true
  const server = createServer((client) => {
    const upstream = connect(Number(port || 5432), hostname)
    for (const socket of [client, upstream]) {
      // Otherwise small packets would be held back.
      socket.setNoDelay(true)
      sockets.add(socket)
    }
    client.on('error', () => {})
    upstream.on('error', () => client.destroy())
    const statementsIn = statementReader()
    let isListening = false
    client.on('data', (bytes: Buffer) => {
      const statements = statementsIn(bytes)
      isListening ||= statements.some((statement) => statement.startsWith('listen '))
      if (isListening || statements.length === 0) return
      if (isAnswered) trips.push([])
      isAnswered = false
      trips.at(-1)?.push(...statements)
    })
    upstream.on('data', () => {
      if (!isListening) isAnswered = true
    })
    client.pipe(upstream).pipe(client)
  })
  const rerouted = await reroutedUrl(url, server)
  return {
    url: rerouted,
    async during(work) {
      trips = []
      isAnswered = true
      await work()
      return trips
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

const lengthBytes = 4

/** Returns a function that returns the statements which the next bytes of a connection ask to be executed. */
function statementReader(): (bytes: Buffer) => string[] {
  const prepared = new Map<string, string>()
  let rest = Buffer.alloc(0)
  let hasStarted = false
  let bound = ''
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    const statements: string[] = []
    for (;;) {
      // Only the first message has no letter for its type.
      const start = hasStarted ? 1 : 0
      if (rest.length < start + lengthBytes) return statements
      const end = start + rest.readInt32BE(start)
      if (rest.length < end) return statements
      const [first = '', second = ''] = rest.toString('utf8', start + lengthBytes, end).split('\0')
      const type = hasStarted ? rest.toString('latin1', 0, 1) : 'startup'
      hasStarted = true
      rest = rest.subarray(end)
      if (type === 'Q') statements.push(first)
      if (type === 'P') prepared.set(first, second)
      if (type === 'B') bound = second
      if (type === 'E') statements.push(prepared.get(bound) ?? bound)
    }
  }
}
