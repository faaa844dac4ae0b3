// The floor: a bare node:http server. It reports its port, and responds to every request with the response it was last
// given, after reading the body if there is one. If told to, it first computes a scrypt like that of a password.
import { scrypt } from 'node:crypto'
import { createServer } from 'node:http'

/** @typedef {{ status: number, headers: Record<string, string>, body: string, hashing: boolean }} Planned */

/** @type {Planned} */
let planned = { status: 200, headers: {}, body: '', hashing: false }
let bytes = Buffer.alloc(0)

const server = createServer((request, response) => {
  const end = () => {
    response.writeHead(planned.status, planned.headers)
    response.end(planned.status === 304 ? undefined : bytes)
  }
  const done = planned.hashing
    ? () => scrypt('correct horse battery', 'salt', 64, { N: 16384, r: 16, p: 1, maxmem: 2 ** 26 }, end)
    : end
  if (request.method === 'GET') return done()
  /** @type {Buffer[]} */
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString())
    done()
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined })
})
process.on('message', (/** @type {Planned} */ message) => {
  planned = message
  bytes = Buffer.from(message.body, 'base64')
  process.send?.({})
})
process.once('disconnect', () => process.exit())
