// Over a socket in dist/, `npm run update` asks the Daymark that runs from this checkout what it is, and to make room for
// another version. Its file belongs to the user who runs it, and nobody else may open it.
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'

/**
 * @typedef {object} Status
 * @property {number} pid
 * @property {string | undefined} commit
 * @property {string} address
 * @property {string | undefined} sqlite the file, if the data is in one
 *
 * @typedef {'status' | 'update'} Request
 */

/** Milliseconds. */
const longestReply = 10_000

/**
 * Its path is short, because a socket's may not be longer than 103 bytes.
 * @param {string} root
 */
function socketOf(root) {
  return join(relative(process.cwd(), root), 'dist', 'control.sock')
}

/**
 * Undefined on Windows, and where another Daymark of this checkout has the socket.
 * @param {string} root
 * @param {Status} status
 * @param {() => string | undefined} update begins to make room; returns why not
 */
export async function takeRequests(root, status, update) {
  if (process.platform === 'win32' || (await ask(root, 'status')) !== undefined) return
  const path = socketOf(root)
  rmSync(path, { force: true })
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let request = ''
    socket.setEncoding('utf8')
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      request += chunk
    })
    socket.on('end', () => {
      socket.end(JSON.stringify(request === 'update' ? { refused: update() } : status))
    })
  })
  const mask = process.umask(0o177)
  server.listen(path)
  process.umask(mask)
  server.unref()
  await once(server, 'listening')
  process.on('exit', () => rmSync(path, { force: true }))
}

/**
 * @param {string} root
 * @param {Request} request
 * @returns {Promise<any>} undefined if nobody answers
 */
export async function ask(root, request) {
  if (process.platform === 'win32') return undefined
  const socket = connect(socketOf(root))
  socket.setTimeout(longestReply, () => socket.destroy())
  try {
    await once(socket, 'connect')
    socket.end(request)
    return JSON.parse(await text(socket))
  } catch {
    return undefined
  } finally {
    socket.destroy()
  }
}
