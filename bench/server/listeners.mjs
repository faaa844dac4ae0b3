// Devices with one event stream each, on plain sockets. Forked by ../events.mjs, which sends one message at a time:
// `open` them on a port with their cookies, `change` something of a person and wait until all their devices are
// notified, or `close`.
import { connect } from 'node:net'

/** @typedef {{ cookie: string, socket: import('node:net').Socket, heard: () => void }} Listener */

/** @type {Listener[]} */
let listeners = []

process.on('message', (/** @type {any} */ message) => {
  obey(message).then(
    (done) => process.send?.(done),
    (error) => process.send?.({ failed: error instanceof Error ? error.message : String(error) }),
  )
})
process.once('disconnect', () => process.exit())

/** @param {any} message */
async function obey(message) {
  if ('open' in message) return open(message.open)
  if ('change' in message) return change(message.change)
  for (const { socket } of listeners) socket.destroy()
  listeners = []
  return {}
}

/** @param {{ port: number, cookies: string[] }} what */
async function open({ port, cookies }) {
  const started = performance.now()
  listeners = await Promise.all(cookies.map((cookie) => listen(port, cookie)))
  return { took: performance.now() - started }
}

/** Resolves with the first event. @param {number} port @param {string} cookie @returns {Promise<Listener>} */
function listen(port, cookie) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const listener = { cookie, socket, heard: () => resolve(listener) }
    socket.on('error', reject)
    socket.on('data', (bytes) => {
      if (bytes.includes('event: changed')) listener.heard()
    })
    socket.write(`GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${cookie}\r\n\r\n`)
  })
}

/**
 * Makes one change per person, each after all devices of the previous person have been notified.
 * @param {{ port: number, people: { cookie: string, todo: string }[] }} what
 */
async function change({ port, people }) {
  const all = []
  const answered = []
  for (const { cookie, todo } of people) {
    const own = listeners.filter((listener) => listener.cookie === cookie)
    const started = performance.now()
    const heard = own.map(
      (listener) =>
        new Promise((resolve) => {
          listener.heard = () => resolve(undefined)
        }),
    )
    const response = await fetch(`http://127.0.0.1:${port}/api/todos/${todo}`, {
      method: 'PUT',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ completed: 1 }),
    })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`A change was answered ${response.status}`)
    answered.push(performance.now() - started)
    await Promise.all(heard)
    all.push(performance.now() - started)
  }
  return { all, answered }
}
