import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'
import type { HttpContext } from '#platform/http/context.ts'
import type { AccountMail } from './account-mail.ts'
import type { Auth } from './auth.ts'

/** What the calls of an account are made of. */
export interface AccountParts {
  auth: Auth
  database: Database
  /** Undefined where no mail is sent: then its calls are not there. */
  mail: AccountMail | undefined
  signUp: 'open' | 'closed'
  /** Whether wrong passwords slow down who tries them, and a mailbox is sent so much and no more. */
  rateLimit: boolean
  addressOf(c: HttpContext): string
  /** The user has signed out on the last of their devices. Never rejects. */
  leftByAll(user: string): Promise<void>
  now(): Instant
}
