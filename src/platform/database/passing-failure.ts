import { errcodeOf, storageProblemOf } from './storage-problem.ts'

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
  /^(Connection terminated|Client (has encountered a connection error|was closed)|timeout exceeded when trying to connect|No connection to the database came free in time|Query read timeout$)/

/** Whether a failure says nothing of what was asked, so that the same may well succeed later. */
export function isPassingFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (brokenConnection.test(error.message)) return true
  // Of the file and its disk, not of the statement: somebody has to mend it, and then it succeeds.
  if (storageProblemOf(error) !== undefined) return true
  if (errcodeOf(error) !== undefined) return false
  const code = 'code' in error ? String(error.code) : ''
  return passingInPostgres.test(code) || passingOnTheWay.has(code)
}
