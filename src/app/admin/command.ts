import type { Auth } from '#features/account/server/auth.ts'
import type { Instant } from '#platform/calendar/day.ts'
import type { Database } from '#platform/database/database.ts'

/** What a command is run with. */
export interface Context {
  database: Database
  databaseUrl: string
  now: Instant
  /** The address of a page of the app, with a token. */
  linkTo(page: string, token: string): string
  /** better-auth, where a command needs it. Throws a Refused where Daymark has no secret yet. */
  auth(): Promise<Auth>
  /** Has the operator type something; undefined where nobody is at a terminal. */
  ask(question: string): Promise<string | undefined>
}

/** What it comes to: lines for people, or what `--json` prints. */
export interface Told {
  says: string
  json?: unknown
}

/** It was understood and not done: one line says why. */
export class Refused extends Error {}

/** It was not understood. */
export class WrongUsage extends Error {}
