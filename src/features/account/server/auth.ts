import { randomUUIDv7 } from 'node:crypto'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import type { Logger } from 'pino'
import type { Database } from '#platform/database/database.ts'
import { loggable, withoutAddresses } from '#platform/http/request-log.ts'
import type { AccountMail } from './account-mail.ts'
import { deleteAccount } from './account-store.ts'

export interface AuthSettings {
  secret: string
  /** The public origin, if one is configured. */
  baseUrl: string | undefined
  /** Undefined where no mail is sent. */
  mail?: AccountMail | undefined
}

/** The header in which better-auth is told the client's address. Only ever written by us, on requests that we make. */
export const addressHeader = 'x-daymark-address'

const hour = 60 * 60
const day = 24 * hour

export type Auth = ReturnType<typeof createAuth>

/**
 * better-auth on our database. It is only reached through our own endpoints, which have checked origin, body and
 * limits before: so its router, its rate limiter and its guesses at the base URL are not used.
 */
export function createAuth(database: Database, settings: AuthSettings, log: Logger) {
  return Object.assign(betterAuth(authOptions(database, settings, log)), {
    /** Sign-in sessions of the user have ended: what is open by them is to end in every process. */
    tellSignedOut: (user: string) => database.changes.tell(user),
  })
}

interface ToBeMailed {
  user: { name: string; email: string }
  token: string
}

export function authOptions(database: Database, { secret, baseUrl, mail }: AuthSettings, log: Logger) {
  return {
    appName: 'Daymark',
    // Nothing that we open builds an address from it.
    baseURL: baseUrl ?? 'http://localhost',
    basePath: '/api/auth',
    secret,
    database: { db: database.auth, type: database.engine },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 8,
      maxPasswordLength: 128,
      resetPasswordTokenExpiresIn: hour,
      revokeSessionsOnPasswordReset: true,
      ...(mail && {
        async sendResetPassword({ user, token }: ToBeMailed) {
          mail.passwordReset(user, token)
        },
      }),
    },
    ...(mail && {
      emailVerification: {
        // Signing in does not wait for it.
        sendOnSignUp: true,
        expiresIn: day,
        async sendVerificationEmail({ user, token }: ToBeMailed) {
          mail.addressCheck(user, token)
        },
      },
    }),
    // A copy of the database opens no account: it holds no token that could still be used.
    verification: { storeIdentifier: 'hashed' },
    // Thirty days without a visit; its last use is known to the hour, so it is written at most that often. Within a day of
    // signing in, nobody is asked for the password again. Without a cache, one that is ended is out at its next request.
    session: { expiresIn: 30 * day, updateAge: hour, freshAge: day, cookieCache: { enabled: false } },
    user: {
      deleteUser: {
        enabled: true,
        // After it, nothing is left for better-auth to delete, which it would do piece by piece.
        beforeDelete: (user) => deleteAccount(database, user),
      },
    },
    // However better-auth ends one; what is ended or deleted by us is told of there.
    databaseHooks: {
      session: { delete: { after: async ({ userId }) => database.changes.tell(userId) } },
    },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      cookiePrefix: 'daymark',
      // Over plain http, as in a home network, a browser would never send a Secure cookie back.
      useSecureCookies: baseUrl?.startsWith('https://') ?? false,
      ipAddress: { ipAddressHeaders: [addressHeader] },
      // The tables are ours: their migrations are tested against what better-auth expects.
      // With a join, a sign-in session and its user are one query.
      database: { generateId: () => randomUUIDv7(), validateSchema: false, joins: true },
    },
    logger: {
      level: 'error',
      log: (_level, message, ...details) => {
        log.error({ details: details.map(loggable) }, `better-auth: ${withoutAddresses(String(message))}`)
      },
    },
  } satisfies BetterAuthOptions
}
