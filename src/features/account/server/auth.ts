import type { Logger } from 'pino'
import type { Database } from '#platform/database/database.ts'
import type { UserTable } from '#platform/database/row-kind.ts'
import { deleteAccount } from '../ending/server/account-deletion-store.ts'
import { type Auth, type AuthSettings, betterAuthOn } from '../session/server/better-auth.ts'

interface Settings extends Omit<AuthSettings, 'deleteAccount'> {
  /** Of which an account that is deleted may have a great many rows. */
  userTables: readonly UserTable[]
}

/** better-auth on our database, where deleting an account deletes the rows of every feature with it. */
export function createAuth(database: Database, { userTables, ...settings }: Settings, log: Logger): Auth {
  return betterAuthOn(
    database,
    { ...settings, deleteAccount: (user) => deleteAccount(database, user, userTables, Date.now()) },
    log,
  )
}
