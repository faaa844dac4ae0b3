import { setTimeout } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Database } from '#platform/database/database.ts'
import { type StorageProblem, storageProblemOf } from '#platform/database/storage-problem.ts'
import { type Endpoint, publicEndpoint } from './endpoint.ts'
import { type ErrorResponse, errorResponse } from './error-response.ts'

// To a monitor, a response later than this is as good as none.
const patience = 2000

/** Tells a client to wait: its queued writes then stay queued instead of being given up. */
const soon = { 'Retry-After': '5' }

const unreachable = errorResponse(503, 'DATABASE_UNREACHABLE', "The database can't be reached right now.", {
  headers: soon,
})

const errors: Record<StorageProblem, ErrorResponse> = {
  full: refuseToStore('STORAGE_FULL', "The server's disk is full, so nothing can be saved."),
  'read-only': refuseToStore(
    'STORAGE_READ_ONLY',
    "The server can't write to its database, so nothing can be saved.",
  ),
  locked: refuseToStore(
    'STORAGE_LOCKED',
    "Another program has locked the server's database, so nothing can be saved right now.",
  ),
  corrupt: refuseToStore('STORAGE_DAMAGED', "The server's database is damaged, so nothing can be saved."),
  replaced: refuseToStore(
    'STORAGE_REPLACED',
    "The server's database file was replaced or removed, so nothing can be saved until Daymark is restarted.",
  ),
  failing: refuseToStore(
    'STORAGE_FAILING',
    "The server's disk is reporting errors, so nothing can be saved.",
  ),
}

function refuseToStore(code: string, message: string): ErrorResponse {
  return errorResponse(503, code, message, { headers: soon })
}

/** The error response when the database failed, with the reason as far as it is known. */
export function refusalOf(problem: StorageProblem | undefined): ErrorResponse {
  return problem === undefined ? unreachable : errors[problem]
}

/** Undefined when the database can be read and written. */
export async function refuseUnusable(database: Database): Promise<ErrorResponse | undefined> {
  const waiting = new AbortController()
  const late = setTimeout(patience, undefined, { signal: waiting.signal }).catch(() => undefined)
  try {
    // A write may wait in the queue for longer; then the last known state counts.
    const written = Promise.race([database.storage.probe(), late])
    const read = await Promise.race([database.ping().then(() => true), late])
    if (!read) return unreachable
    await written
  } catch (error) {
    return refusalOf(storageProblemOf(error))
  } finally {
    waiting.abort()
  }
  const problem = database.storage.problem()
  return problem && errors[problem]
}

export function healthEndpoint(database: Database, version: string): Endpoint {
  return publicEndpoint({
    method: 'GET',
    path: '/api/health',
    summary: 'Whether it works: reads what is stored, and can store more',
    takes: {},
    answers: { 200: z.object({ status: z.literal('ok'), version: z.string() }) },
    async handle() {
      const error = await refuseUnusable(database)
      return error ?? { status: 200, body: { status: 'ok' as const, version } }
    },
  })
}
