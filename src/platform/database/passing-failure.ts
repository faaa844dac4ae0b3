// SQLITE_BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN: of the file and its disk, not of the statement.
const passingInSqlite = new Set([5, 6, 8, 10, 13, 14])
// Connection, serialization and deadlock, resources, intervention of an operator, lock not available.
const passingInPostgres = /^(08|40|53|57)[\dA-Z]{3}$|^55P03$/
const passingOnTheWay = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
])
// What pg throws at the queries of a connection that broke, or that there was none for or no answer to, has no code.
const brokenConnection =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|timeout exceeded when trying to connect|Query read timeout$)/

/** Whether a failure says nothing of what was asked, so that the same may well succeed later. */
export function isPassingFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (brokenConnection.test(error.message)) return true
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ERR_SQLITE_ERROR') {
    // The low byte is the kind; the rest says more of it.
    return 'errcode' in error && passingInSqlite.has(Number(error.errcode) & 0xff)
  }
  return passingInPostgres.test(code) || passingOnTheWay.has(code)
}
