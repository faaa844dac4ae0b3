import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { HttpContext } from '#platform/http/request/context.ts'
import type { Auth } from './better-auth.ts'

/** What the account endpoints depend on. */
export interface AccountParts {
  auth: Auth
  database: Database
  signUp: 'open' | 'closed'
  /** Whether to slow down guesses after wrong passwords and to limit the mail to one address. */
  rateLimit: boolean
  addressOf(c: HttpContext): string
  /** Called when the user has signed out on the last of their devices. Never rejects. */
  onSignedOutEverywhere(user: string): Promise<void>
  now(): Instant
}
