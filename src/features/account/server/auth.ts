import type { Logger } from 'pino'
import type { Database } from '#platform/database/database.ts'
import type { UserTable } from '#platform/database/row-kind.ts'
import { deleteAccount } from '../ending/server/account-deletion-store.ts'
import { type Auth, type AuthSettings, betterAuthOn } from '../session/server/better-auth.ts'

interface Settings extends Omit<AuthSettings, 'deleteAccount'> {
  /** The tables that may hold a great many rows of one account; deleting an account starts with them. */
  userTables: readonly UserTable[]
}

/** Sets up better-auth on our database. Deleting an account also deletes its rows in every feature. */
export function createAuth(database: Database, { userTables, ...settings }: Settings, log: Logger): Auth {
  return betterAuthOn(
    database,
    { ...settings, deleteAccount: (user) => deleteAccount(database, user, userTables, Date.now()) },
    log,
  )
}
