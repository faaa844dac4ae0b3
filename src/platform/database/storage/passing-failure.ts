import { errcodeOf, storageProblemOf } from './storage-problem.ts'

// PostgreSQL's error codes of failures that pass: the classes connection, transaction rollback (serialization, deadlock),
// resources and operator intervention, and the code of 'lock not available'.
const passingInPostgres = /^(08|40|53|57)[\dA-Z]{3}$|^55P03$/
const passingOnTheNetwork = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
])
// pg's errors without a code, for a connection that broke, could not be made or did not respond.
const brokenConnection =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|timeout exceeded when trying to connect|No connection to the database came free in time|Query read timeout$)/

/** Whether the failure says nothing about the request itself, so that the same request may well succeed later. */
export function isPassingFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (brokenConnection.test(error.message)) return true
  // The file or its disk is at fault, not the statement: the statement will succeed once somebody has mended the file or the
  // disk.
  if (storageProblemOf(error) !== undefined) return true
  if (errcodeOf(error) !== undefined) return false
  const code = 'code' in error ? String(error.code) : ''
  return passingInPostgres.test(code) || passingOnTheNetwork.has(code)
}
