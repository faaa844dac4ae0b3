import { setTimeout } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Database } from '#platform/database/database.ts'
import { type Endpoint, publicEndpoint } from './endpoint.ts'
import { refuse } from './refusal.ts'

// An answer that comes later than this is as good as none to whoever watches.
const patience = 2000

/** Told to a waiting client, whose queued writes then stay queued instead of being given up. */
export const unreachable = refuse(
  503,
  'DATABASE_UNREACHABLE',
  'The database cannot be reached at the moment.',
  {
    headers: { 'Retry-After': '5' },
  },
)

export async function isReachable(database: Database): Promise<boolean> {
  const waiting = new AbortController()
  try {
    return await Promise.race([
      database.ping().then(() => true),
      setTimeout(patience, false, { signal: waiting.signal }),
    ])
  } catch {
    return false
  } finally {
    waiting.abort()
  }
}

export function healthEndpoint(database: Database, version: string): Endpoint {
  return publicEndpoint({
    method: 'GET',
    path: '/api/health',
    summary: 'Whether it works',
    takes: {},
    answers: { 200: z.object({ status: z.literal('ok'), version: z.string() }) },
    async handle() {
      if (!(await isReachable(database))) return unreachable
      return { status: 200, body: { status: 'ok' as const, version } }
    },
  })
}
