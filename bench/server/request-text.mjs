/** Stands in the text of a read where each time the ETag of what the device has belongs, without quotes. */
export const lastTag = 'the-tag-of-its-last-response'

/**
 * A signed-in person's request as it is sent over the connection.
 * @param {string} method
 * @param {string} path
 * @param {string} cookie
 * @param {object} [body]
 */
export function requestText(method, path, cookie, body) {
  const text = body ? JSON.stringify(body) : ''
  const head = headOf(method, path, cookie)
  return body
    ? `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
    : `${head}\r\n`
}

/**
 * The read of a list by a device that has it.
 * @param {string} path
 * @param {string} cookie
 * @param {boolean} byRevision whether it asks for what has changed only
 */
export function readAgain(path, cookie, byRevision) {
  const since = byRevision ? `${path.includes('?') ? '&' : '?'}since=${lastTag}` : ''
  return `${headOf('GET', path + since, cookie)}If-None-Match: "${lastTag}"\r\n\r\n`
}

/** @param {string} method @param {string} path @param {string} cookie */
function headOf(method, path, cookie) {
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\nCookie: ${cookie}\r\n`
}
