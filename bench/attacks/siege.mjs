// What a rude client does for this many seconds: it never waits when told to, and ignores what it is sent.
import { Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'

/**
 * `address`: where it comes from, as a proxy would report.
 * @typedef {{ method?: string, path: string, cookie?: string, address: string, body?: object | string }} Asked
 */

export class Siege {
  /**
   * The number of responses by status; 0: no response. Those to changes sent together are counted one by one, too, as 'inner'.
   * @type {Record<string, number>}
   */
  statuses = {}
  /** After how many seconds the first was refused as one too many. @type {number | undefined} */
  firstRefused
  #begun = performance.now()
  #port
  #agent = new Agent({ keepAlive: true })
  /** @type {Set<{ destroy(): void }>} */
  #open = new Set()
  #over = false
  #end

  /** @param {number} port @param {number} seconds */
  constructor(port, seconds) {
    this.#port = port
    this.#end = new Promise((resolve) => {
      setTimeout(() => {
        this.#over = true
        for (const each of this.#open) each.destroy()
        this.#agent.destroy()
        resolve(undefined)
      }, seconds * 1000)
    })
  }

  /**
   * Sends one request after another on each connection; `next` says which, or does more than send a request.
   * @param {number} connections
   * @param {(connection: number, turn: number) => Asked | Promise<void>} next
   */
  async keepAsking(connections, next) {
    const each = async (/** @type {number} */ connection) => {
      for (let turn = 0; !this.#over; turn += 1) {
        const asked = next(connection, turn)
        await ('then' in asked ? asked : this.ask(asked))
      }
    }
    await Promise.all(Array.from({ length: connections }, (_, connection) => each(connection)))
  }

  /** The status of the complete response; 0 if there is none. @param {Asked} asked */
  async ask(asked) {
    const status = await this.#answered(asked)
    this.#count(status, `${status}`)
    // If the server is gone, trying on without a pause would only burden the machine.
    if (status === 0 && !this.#over) await pause(20)
    return status
  }

  /** @param {number} status @param {string} name */
  #count(status, name) {
    this.statuses[name] = (this.statuses[name] ?? 0) + 1
    if (status === 429) this.firstRefused ??= (performance.now() - this.#begun) / 1000
  }

  /** @param {Asked} asked @returns {Promise<number>} */
  #answered({ method = 'GET', path, cookie, address, body }) {
    if (this.#over) return Promise.resolve(0)
    const json = typeof body === 'object' ? JSON.stringify(body) : body
    return new Promise((resolve) => {
      const request = httpRequest({
        host: '127.0.0.1',
        port: this.#port,
        agent: this.#agent,
        method,
        path,
        headers: {
          'X-Forwarded-For': address,
          ...(cookie === undefined ? {} : { Cookie: cookie }),
          ...(json === undefined
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(json) }),
        },
      })
      this.#open.add(request)
      let status = 0
      request.on('response', (response) => {
        response.on('end', () => {
          status = response.statusCode ?? 0
        })
        response.on('error', () => {})
        if (path === '/api/changes')
          readInnerStatuses(response, (inner) => this.#count(inner, `inner ${inner}`))
        else response.resume()
      })
      request.on('error', () => {})
      request.on('close', () => {
        this.#open.delete(request)
        resolve(status)
      })
      request.end(json)
    })
  }

  /** Sends a request on this many connections and reads none of the responses. @param {number} connections @param {Asked} asked */
  async leaveUnread(connections, asked) {
    for (let connection = 0; connection < connections; connection += 1) this.#send(asked)
    await this.#end
  }

  /**
   * Sends requests on this many connections at a time, and hangs up before there can be a response.
   * @param {number} connections
   * @param {(turn: number) => Asked} next
   */
  async hangUp(connections, next) {
    await this.keepAsking(connections, async (_connection, turn) => {
      const socket = this.#send(next(turn))
      await pause(5)
      socket.destroy()
      this.statuses['hung up'] = (this.statuses['hung up'] ?? 0) + 1
    })
  }

  /** Sends a request on a connection of its own. @param {Asked} asked */
  #send({ method = 'GET', path, cookie = '', address, body }) {
    const content = body === undefined ? '' : typeof body === 'object' ? JSON.stringify(body) : body
    const type = 'Content-Type: application/json\r\n'
    const ofContent = content && `${type}Content-Length: ${Buffer.byteLength(content)}\r\n`
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
    this.#open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => this.#open.delete(socket))
    socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: ${address}\r\nCookie: ${cookie}\r\n${ofContent}\r\n${content}`,
    )
    return socket
  }

  /** Resolves when it is over. */
  get end() {
    return this.#end
  }
}

/**
 * Tells the status of each change that was sent with others, as the response arrives: it may be far longer than what fits in memory.
 * @param {import('node:http').IncomingMessage} response
 * @param {(status: number) => void} tell
 */
function readInnerStatuses(response, tell) {
  let rest = ''
  response.setEncoding('latin1')
  response.on('data', (/** @type {string} */ part) => {
    const text = rest + part
    let read = 0
    for (const found of text.matchAll(/\{"status":(\d{3}),/g)) {
      tell(Number(found[1]))
      read = found.index + found[0].length
    }
    // One may begin in this part and end in the next.
    rest = text.slice(Math.max(read, text.length - 20))
  })
}

/** @param {number} milliseconds */
function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
