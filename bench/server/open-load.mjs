// A client that asks at a fixed rate, whether or not earlier requests have been answered, as people do. Forked by ../scale.mjs;
// each message is one measurement: {ports, people, rate, seconds, warmUp}. A request counts from the moment at which it was due,
// so one that had to wait for a connection has waited too.
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { newRowId } from '../../src/platform/wire/ids/new-row-id.ts'
import { newRow } from './mixes.mjs'
import { lastTag } from './request-text.mjs'

/** As many as browsers would open between them; a request beyond them waits for one. */
const mostConnections = 400
/** Milliseconds after the last request was due until what is not answered counts as never. */
const patience = 3_000

/** The ETag of the last response to each text that has `lastTag`: no two devices send the same. @type {Map<string, string>} */
const tags = new Map()

/**
 * `people` has the requests of each person in order. Where a text has `newRow`, an id of a new row takes its place; where it has
 * `lastTag`, the ETag of what the device has.
 * @typedef {{ ports: number[], people: string[][], rate: number, seconds: number, warmUp: number }} Measurement
 */

process.on('message', (/** @type {Measurement} */ measurement) => {
  measure(measurement).then(
    (measured) => process.send?.(measured),
    (error) => process.send?.({ failed: error instanceof Error ? error.message : String(error) }),
  )
})
process.once('disconnect', () => process.exit())

/** @param {Measurement} measurement */
async function measure({ ports, people, rate, seconds, warmUp }) {
  const connections = new Connections(ports)
  /** @type {number[]} */
  const times = []
  /** @type {Record<string, number>} */
  const statuses = {}
  const usedBefore = process.cpuUsage()
  const began = performance.now()
  const counted = began + warmUp * 1000
  const end = counted + seconds * 1000
  let sent = 0
  let expected = 0
  let answered = 0
  const all = Math.round(rate * (warmUp + seconds))
  while (sent < all) {
    const due = began + (sent * 1000) / rate
    const early = due - performance.now()
    if (early > 0.5) await pause(early)
    // Also when it is behind, it has to read the responses.
    else if (sent % 20 === 0) await turn()
    const person = people[sent % people.length] ?? []
    const text = person[Math.floor(sent / people.length) % person.length] ?? ''
    sent += 1
    if (due >= counted) expected += 1
    const isReadAgain = text.includes(lastTag)
    connections.ask(
      isReadAgain ? text.replaceAll(lastTag, tags.get(text) ?? '') : withId(text),
      (status, head) => {
        answered += 1
        if (isReadAgain) tags.set(text, tagIn(head) ?? tags.get(text) ?? '')
        const now = performance.now()
        if (due < counted) return
        times.push(now - due)
        statuses[status] = (statuses[status] ?? 0) + 1
      },
    )
  }
  const { user, system } = process.cpuUsage(usedBefore)
  const busy = (user + system) / 1000 / (performance.now() - began)
  for (let waited = 0; answered < all && waited < patience; waited += 20) await pause(20)
  const bytes = connections.bytesRead / all
  connections.close()
  // What was never answered took longer than everything else.
  while (times.length < expected) times.push(Number.POSITIVE_INFINITY)
  times.sort((a, b) => a - b)
  return {
    p50: inSeconds(times[Math.floor(times.length * 0.5)]),
    p99: inSeconds(times[Math.floor(times.length * 0.99)]),
    unanswered: all - answered,
    late: performance.now() - end,
    /** The share of a processor that this client needed: near 1, it is what was measured. */
    busy,
    /** That a response has, on average. */
    bytes,
    statuses,
  }
}

/** Messages know no infinity. @param {number | undefined} time */
function inSeconds(time) {
  return time === undefined || time === Number.POSITIVE_INFINITY ? 1e9 : time
}

/** @param {string} text */
function withId(text) {
  return text.includes(newRow) ? text.replace(newRow, newRowId(Date.now(), randomBytes(10))) : text
}

/** Without quotes. @param {string} head */
function tagIn(head) {
  return /\r\netag: (?:W\/)?"([^"]*)"/i.exec(head)?.[1]
}

/** Keeps connections to every process of the server, one request at a time on each. */
class Connections {
  #ports
  #opened = 0
  /** @type {((text: string, answered: (status: number, head: string) => void) => void)[]} */
  #free = []
  /** @type {{ text: string, answered: (status: number, head: string) => void }[]} */
  #waiting = []
  /** @type {import('node:net').Socket[]} */
  #sockets = []

  /** @param {number[]} ports */
  constructor(ports) {
    this.#ports = ports
  }

  /** @param {string} text @param {(status: number, head: string) => void} answered */
  ask(text, answered) {
    const free = this.#free.pop()
    if (free) return free(text, answered)
    this.#waiting.push({ text, answered })
    if (this.#opened < mostConnections) this.#open()
  }

  get bytesRead() {
    return this.#sockets.reduce((sum, socket) => sum + socket.bytesRead, 0)
  }

  close() {
    for (const socket of this.#sockets) socket.destroy()
  }

  #open() {
    const port = this.#ports[this.#opened++ % this.#ports.length] ?? 0
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#sockets.push(socket)
    /** @type {((status: number, head: string) => void) | undefined} */
    let answered
    let head = ''
    /** Of the response that is being read. */
    let headRead = ''
    let status = 0
    /** Bytes of the body still to come; -1 until the head is complete. Of a body in chunks nobody knows, until its end has come. */
    let missing = -1
    let tail = ''
    const ask = (/** @type {string} */ text, /** @type {(status: number, head: string) => void} */ then) => {
      answered = then
      socket.write(text)
    }
    const next = () => {
      const waiting = this.#waiting.shift()
      if (waiting) ask(waiting.text, waiting.answered)
      else this.#free.push(ask)
    }
    socket.once('connect', next)
    socket.once('error', () => answered?.(0, ''))
    socket.on('data', (bytes) => {
      if (missing === -1) {
        // Latin-1, so that each character is one byte.
        head += bytes.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end === -1) return
        status = Number(head.slice(9, 12))
        headRead = head.slice(0, end)
        missing = lengthIn(headRead, status) - (head.length - end - 4)
        tail = head.slice(end + 4)
        head = ''
      } else {
        missing -= bytes.length
        tail += bytes.toString('latin1')
      }
      tail = tail.slice(-chunksEnd.length)
      if (missing === Number.POSITIVE_INFINITY && tail === chunksEnd) missing = 0
      if (missing > 0) return
      missing = -1
      answered?.(status, headRead)
      answered = undefined
      next()
    })
  }
}

const chunksEnd = '0\r\n\r\n'

/** @param {string} head @param {number} status */
function lengthIn(head, status) {
  if (status === 304 || status === 204) return 0
  if (/\r\ntransfer-encoding: chunked/i.test(head)) return Number.POSITIVE_INFINITY
  return Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
}

function turn() {
  return new Promise((resolve) => setImmediate(resolve))
}

/** @param {number} milliseconds */
function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
