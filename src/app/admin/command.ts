import type { Auth } from '#features/account/session/server/better-auth.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'

/** What a command receives. */
export interface Context {
  database: Database
  databaseUrl: string
  now: Instant
  /** The address of a page of the app, with a token. */
  linkTo(page: string, token: string): string
  /** better-auth, for commands that need it. Throws a `CommandError` if Daymark has no secret yet. */
  auth(): Promise<Auth>
  /** Asks the operator to type something. Returns undefined if nobody is at a terminal. */
  ask(question: string): Promise<string | undefined>
}

/** The result of a command: text for people, or what `--json` prints. */
export interface CommandResult {
  text: string
  json?: unknown
}

/** Thrown when a command was understood but not carried out; the message says why in one line. */
export class CommandError extends Error {}

/** Thrown when a command was not understood. */
export class UsageError extends Error {}
