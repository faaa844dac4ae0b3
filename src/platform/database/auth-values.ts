import type { Instant } from '#platform/calendar/day.ts'
import type { Engine } from './schema/migration-step.ts'

/** better-auth's tables use its own types, which differ by engine: SQLite returns the first one, PostgreSQL the second. */
export type AuthInstant = string | Date
export type AuthFlag = number | boolean

export function instantOfAuth(stored: AuthInstant): Instant {
  return typeof stored === 'string' ? Date.parse(stored) : stored.getTime()
}

export function instantForAuth(engine: Engine, instant: Instant): AuthInstant {
  const date = new Date(instant)
  return engine === 'sqlite' ? date.toISOString() : date
}
