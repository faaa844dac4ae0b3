import { setTimeout } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Database } from '#platform/database/database.ts'
import { SchemaMoved, type SchemaState } from '#platform/database/schema/schema-watch.ts'
import { type StorageProblem, storageProblemOf } from '#platform/database/storage/storage-problem.ts'
import { type ErrorResponse, errorResponse } from '../request/error-response.ts'
import { healthPath, livePath } from '../request/health-path.ts'
import { type Endpoint, publicEndpoint } from './endpoint.ts'

// Milliseconds within which a health check has to respond: a monitor treats a later response as no response.
const patience = 2000

/** Tells clients to wait: queued writes then stay queued instead of being given up. */
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

const moved: Record<Exclude<SchemaState, 'current'>, ErrorResponse> = {
  updating: errorResponse(503, 'UPDATING', 'Daymark is being updated. Try again in a moment.', {
    headers: { 'Retry-After': '1' },
  }),
  newer: errorResponse(
    503,
    'NEWER_VERSION_RUNS',
    'A newer version of Daymark has updated the database, so this one is ending. Try again in a moment.',
    // Close the connection: clients should not come back to this process.
    { headers: { 'Retry-After': '1', Connection: 'close' } },
  ),
}

const stopping = errorResponse(503, 'STOPPING', 'Daymark is stopping. Try again in a moment.', {
  headers: { 'Retry-After': '1' },
})

function refuseToStore(code: string, message: string): ErrorResponse {
  return errorResponse(503, code, message, { headers: soon })
}

/** Returns the error response for a failed database, with the reason as far as it is known. */
export function refusalOf(problem: StorageProblem | undefined): ErrorResponse {
  return problem === undefined ? unreachable : errors[problem]
}

/** Returns the error response while the tables, as far as is known, have another program version's schema. */
export function refuseMoved({ schema }: Pick<Database, 'schema'>): ErrorResponse | undefined {
  const state = schema.state()
  return state === 'current' ? undefined : moved[state]
}

/** Returns the error response to a write that failed because the tables have another version's schema. */
export function refusalOfMoved(error: unknown): ErrorResponse | undefined {
  return error instanceof SchemaMoved ? moved[error.state] : undefined
}

/** Returns the error response while the database cannot be read or written; undefined when it can be. */
export async function refuseUnusable(database: Database): Promise<ErrorResponse | undefined> {
  const { storage } = database
  // The probe's write may wait in the queue for longer than `patience`; then the last known state counts.
  const unreadable = await refuseUnreadable(database, storage.probe())
  if (unreadable) return unreadable
  const problem = storage.problem()
  return problem && errors[problem]
}

/** Returns undefined when the database can be read and has this program's tables. Waits for `meanwhile` as well. */
async function refuseUnreadable(
  database: Database,
  meanwhile?: Promise<unknown>,
): Promise<ErrorResponse | undefined> {
  const waiting = new AbortController()
  const late = setTimeout(patience, undefined, { signal: waiting.signal }).catch(() => undefined)
  try {
    const looked = Promise.race([meanwhile, late])
    const reading = Promise.all([database.ping(), database.schema.check()]).then(() => true)
    const read = await Promise.race([reading, late])
    const refused = refuseMoved(database)
    if (refused) return refused
    if (!read) return unreachable
    await looked
  } catch (error) {
    return refusalOf(storageProblemOf(error))
  } finally {
    waiting.abort()
  }
  return undefined
}

const healthy = z.object({ status: z.literal('ok'), version: z.string() })

export interface HealthParts {
  database: Database
  version: string
  /** Whether the process was told to end. */
  isStopping(): boolean
  /** Called when somebody asks whether to send requests to this process. */
  asked(): void
}

export function healthEndpoints({ database, version, isStopping, asked }: HealthParts): Endpoint[] {
  const ok = { status: 200, body: { status: 'ok' as const, version } } as const
  const declared = { method: 'GET', takes: {}, responses: { 200: healthy } } as const
  return [
    publicEndpoint({
      ...declared,
      path: healthPath,
      summary: 'Whether it works: reads what is stored, and can store more',
      async handle() {
        asked()
        return (await refuseUnusable(database)) ?? ok
      },
    }),
    publicEndpoint({
      ...declared,
      path: livePath,
      summary: 'Whether the process works, even while it is starting or its database is gone',
      handle: async () => ok,
    }),
    publicEndpoint({
      ...declared,
      path: `${healthPath}/ready`,
      summary:
        'Whether to send requests here: it can read what is stored, and is neither starting nor ending',
      async handle() {
        asked()
        return isStopping() ? stopping : ((await refuseUnreadable(database)) ?? ok)
      },
    }),
  ]
}
