import type { Instant } from '#platform/calendar/day.ts'
import type { AuthFlag, AuthInstant } from '#platform/database/auth-values.ts'

declare module '#platform/database/tables.ts' {
  interface Tables {
    user: UserTable
    session: SessionTable
    account: AccountTable
    verification: VerificationTable
    sign_ups: SignUpsTable
    invitations: InvitationsTable
    deleted_accounts: DeletedAccountsTable
    closed_accounts: ClosedAccountsTable
    pictures: PicturesTable
  }
}

// better-auth writes the first four tables. Our own code writes to them only where several rows have to change together.

interface UserTable {
  id: string
  name: string
  email: string
  emailVerified: AuthFlag
  image: string | null
  createdAt: AuthInstant
  updatedAt: AuthInstant
}

interface SessionTable {
  id: string
  expiresAt: AuthInstant
  token: string
  createdAt: AuthInstant
  updatedAt: AuthInstant
  ipAddress: string | null
  userAgent: string | null
  userId: string
}

interface AccountTable {
  id: string
  accountId: string
  providerId: string
  userId: string
  accessToken: string | null
  refreshToken: string | null
  idToken: string | null
  accessTokenExpiresAt: AuthInstant | null
  refreshTokenExpiresAt: AuthInstant | null
  scope: string | null
  password: string | null
  createdAt: AuthInstant
  updatedAt: AuthInstant
}

interface VerificationTable {
  id: string
  identifier: string
  value: string
  expiresAt: AuthInstant
  createdAt: AuthInstant
  updatedAt: AuthInstant
}

/** A sign-up that becomes an account when the link in its mail is followed. Secrets are stored as hashes only. */
interface SignUpsTable {
  token_hash: string
  email: string
  name: string
  password_hash: string
  /** Hash of the id of the browser in which the password was chosen. */
  device_hash: string
  expires_at: Instant
}

/** An invitation lets one person create an account even if sign-up is closed. Only the hash of its token is stored. */
interface InvitationsTable {
  token_hash: string
  /** In lower case; null if anyone with the link may use the invitation. */
  email: string | null
  name: string | null
  made_at: Instant
  expires_at: Instant
}

/** Accounts that are being deleted. Nobody can get into them any more, and their rows are removed step by step. */
interface DeletedAccountsTable {
  user_id: string
}

/** Accounts that cannot be signed in to until they are reopened. */
interface ClosedAccountsTable {
  user_id: string
  closed_at: Instant
}

interface PicturesTable {
  user_id: string
  /** Every new picture gets a new id. */
  id: string
  /** The picture in base64. */
  webp: string
}
