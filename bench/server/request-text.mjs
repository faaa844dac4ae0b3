/**
 * A signed-in person's request as it is sent over the connection.
 * @param {string} method
 * @param {string} path
 * @param {string} cookie
 * @param {object} [body]
 */
export function requestText(method, path, cookie, body) {
  const text = body ? JSON.stringify(body) : ''
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\nCookie: ${cookie}\r\n`
  return body
    ? `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
    : `${head}\r\n`
}
