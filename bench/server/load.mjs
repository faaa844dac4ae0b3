// A client that keeps its connections and does as little as possible besides sending requests, so that the server is
// what is measured. Forked by ../server.mjs; each message is one measurement: {port, requests, seconds, warmUp}.
// `requests` has, for each connection, the requests that it repeats in order, each as soon as the previous one is
// answered.
//
// Why not an established client: docs/decisions/0023-own-load-client.md.
import { connect } from 'node:net'

const headEnd = '\r\n\r\n'

process.on('message', (/** @type {Measurement} */ measurement) => {
  measure(measurement).then(
    (measured) => process.send?.(measured),
    (error) => process.send?.({ failed: error instanceof Error ? error.message : String(error) }),
  )
})
process.once('disconnect', () => process.exit())

/** @typedef {{ port: number, requests: string[][], seconds: number, warmUp: number }} Measurement */

/** @param {Measurement} measurement */
async function measure({ port, requests, seconds, warmUp }) {
  let counting = false
  let stopping = false
  /** All responses, counted or not. */
  let all = 0
  /** @type {number[]} How many milliseconds each counted request took. */
  const times = []
  /** @type {Map<number, number>} The number of responses by status. */
  const statuses = new Map()

  const connections = requests.map((own) =>
    keepAsking(
      port,
      own.map((text) => Buffer.from(text)),
      answered,
    ),
  )
  await pause(warmUp)
  counting = true
  const started = performance.now()
  await pause(seconds)
  counting = false
  const elapsed = (performance.now() - started) / 1000
  stopping = true
  await Promise.all(connections)

  times.sort((a, b) => a - b)
  return {
    perSecond: times.length / elapsed,
    median: times[Math.floor(times.length * 0.5)],
    p99: times[Math.floor(times.length * 0.99)],
    statuses: Object.fromEntries(statuses),
    all,
  }

  /** @param {number} time @param {number} status */
  function answered(time, status) {
    all += 1
    if (counting) {
      times.push(time)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    return !stopping
  }
}

/** @param {number} s */
function pause(s) {
  return new Promise((resolve) => setTimeout(resolve, s * 1000))
}

/**
 * Sends one request after another until `answered` returns false.
 * @param {number} port
 * @param {Buffer[]} requests
 * @param {(time: number, status: number) => boolean} answered
 * @returns {Promise<void>}
 */
function keepAsking(port, requests, answered) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let next = 0
    let asked = 0
    let status = 0
    /** Bytes of the body still to come; -1 until the head is complete. */
    let missing = -1
    let head = ''
    const ask = () => {
      const request = requests[next++ % requests.length]
      if (!request) throw new Error('A connection needs a request')
      asked = performance.now()
      socket.write(request)
    }
    socket.once('connect', ask)
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('The server hung up')))
    socket.on('data', (bytes) => {
      if (missing === -1) {
        // Latin-1, so that each character is one byte.
        head += bytes.toString('latin1')
        const end = head.indexOf(headEnd)
        if (end === -1) return
        status = Number(head.slice(9, 12))
        missing = lengthIn(head.slice(0, end), status) - (head.length - end - headEnd.length)
        head = ''
      } else {
        missing -= bytes.length
      }
      if (missing > 0) return
      missing = -1
      if (answered(performance.now() - asked, status)) return ask()
      socket.removeAllListeners('close')
      socket.end()
      resolve()
    })
  })
}

/** @param {string} head @param {number} status */
function lengthIn(head, status) {
  if (status === 304 || status === 204) return 0
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`No length in: ${head}`)
  return Number(length)
}
