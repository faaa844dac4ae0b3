import { randomUUIDv7 } from 'node:crypto'
import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import type { Database } from '#platform/database/database.ts'
import { storageProblemOf } from '#platform/database/storage/storage-problem.ts'
import { loggable, withoutAddresses } from '#platform/log/loggable.ts'
import { endAllSessions, endSurplusSessions, isClosed } from './session-store.ts'

export interface AuthSettings {
  secret: string
  /** The public origin of the app, if one is configured. */
  baseUrl: string | undefined
  /** Undefined if this server sends no mail. */
  mail?: AuthMail | undefined
  /** How to hash passwords. Defaults to better-auth's slow hash, which makes guessing from a stolen database expensive. */
  passwords?: Passwords | undefined
  /** Deletes all the user's rows before better-auth deletes the user, because better-auth would delete them one by one. */
  deleteAccount(user: { id: string; email: string }): Promise<void>
}

export interface Recipient {
  name: string
  email: string
}

/** The mail that better-auth asks us to send. */
export interface AuthMail {
  passwordReset(to: Recipient, token: string): void
  emailVerification(to: Recipient, token: string): void
}

/** The header that passes the client's address to better-auth. Only this server sets it, on the requests that it makes itself. */
export const addressHeader = 'x-daymark-address'

const hour = 60 * 60
const day = 24 * hour
/** Milliseconds after which a sign-in session ends, however often the person visits. */
const maxSignIn = 365 * day * 1000

export type Auth = ReturnType<typeof betterAuthOn>

/**
 * Sets up better-auth on our database. Only our own endpoints call it, after they have checked origin, body and limits.
 * better-auth's own router, rate limiter and guesses at the base URL are not used.
 */
export function betterAuthOn(database: Database, settings: AuthSettings, log: Logger) {
  return Object.assign(betterAuth(authOptions(database, settings, log)), {
    /** Closes open connections of the user's ended sign-in sessions, in every process. */
    notifySignedOut: (user: string) => database.changes.notify(user),
    /** Why a write failed; better-auth only reports that it did. */
    storageProblem: () => database.storage.problem(),
  })
}

/** Signs in people who have proved who they are without a password. Only this server calls it; no route leads to it. */
const signInWithoutPassword = {
  id: 'sign-in-without-password',
  endpoints: {
    startSession: createAuthEndpoint(
      '/start-session',
      { method: 'POST', body: z.object({ user: z.string() }), metadata: { SERVER_ONLY: true } },
      async (ctx) => {
        const { internalAdapter } = ctx.context
        const user = await internalAdapter.findUserById(ctx.body.user)
        const session = user && (await internalAdapter.createSession(user.id))
        if (!session) throw new APIError('UNAUTHORIZED', { code: 'UNAUTHORIZED', message: 'Unauthorized' })
        await setSessionCookie(ctx, { session, user })
        return ctx.json({ token: session.token, user })
      },
    ),
  },
} satisfies BetterAuthPlugin

/** Refuses closed accounts. Checked only after the right password, so that nobody else learns which accounts are closed. */
async function refuseClosed(database: Database, user: string): Promise<void> {
  if (!(await isClosed(database, user))) return
  throw new APIError('FORBIDDEN', {
    code: 'ACCOUNT_CLOSED',
    message: 'This account is closed. Contact whoever runs this server.',
  })
}

export interface Passwords {
  hash(password: string): Promise<string>
  verify(stored: { hash: string; password: string }): Promise<boolean>
}

interface MailWithToken {
  user: Recipient
  token: string
}

export function authOptions(
  database: Database,
  { secret, baseUrl, mail, passwords, deleteAccount }: AuthSettings,
  log: Logger,
) {
  const https = baseUrl?.startsWith('https://') ?? false
  return {
    appName: 'Daymark',
    // better-auth requires a base URL, but none of the endpoints that we open uses it.
    baseURL: baseUrl ?? 'http://localhost',
    basePath: '/api/auth',
    secret,
    database: { db: database.auth, type: database.engine },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 8,
      maxPasswordLength: 128,
      ...(passwords && { password: passwords }),
      resetPasswordTokenExpiresIn: hour,
      revokeSessionsOnPasswordReset: true,
      ...(mail && {
        async sendResetPassword({ user, token }: MailWithToken) {
          mail.passwordReset(user, token)
        },
      }),
    },
    ...(mail && {
      emailVerification: {
        expiresIn: day,
        async sendVerificationEmail({ user, token }: MailWithToken) {
          mail.emailVerification(user, token)
        },
      },
    }),
    // Store only hashes, so that a copy of the database contains no token that could still open an account.
    verification: { storeIdentifier: 'hashed' },
    // A session ends after thirty days without a visit. The last use is recorded to the hour, so it is written at most once an
    // hour. Without a cookie cache, an ended session is refused from its next request on.
    session: { expiresIn: 30 * day, updateAge: hour, cookieCache: { enabled: false } },
    user: { deleteUser: { enabled: true, beforeDelete: deleteAccount } },
    databaseHooks: {
      session: {
        create: {
          before: ({ userId }) => refuseClosed(database, userId),
          async after({ userId }) {
            // The account may have been closed before this session existed, so that closing it did not end this session.
            if (await isClosed(database, userId)) {
              await endAllSessions(database, userId)
              await refuseClosed(database, userId)
            }
            // Keep at most a hundred sessions per account.
            await endSurplusSessions(database, userId)
          },
        },
        // A session is valid until `expiresAt`, so the limit of one year is enforced here, where a session is extended.
        update: {
          before: async ({ expiresAt }, context) => {
            const extended = context?.context.session?.session
            if (!extended || expiresAt === undefined) return
            const end = new Date(extended.createdAt.getTime() + maxSignIn)
            if (expiresAt > end) return { data: { expiresAt: end } }
          },
        },
        // Our own code sends a notification wherever it ends or deletes a session. Do the same for sessions that better-auth
        // deletes.
        delete: { after: async ({ userId }) => database.changes.notify(userId) },
      },
    },
    plugins: [signInWithoutPassword],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      // With the `__Host-` prefix, browsers accept the cookie over https from this host only. Over plain http, as in a home
      // network, they would never send such a cookie back.
      cookiePrefix: https ? '__Host-daymark' : 'daymark',
      defaultCookieAttributes: { secure: https },
      // `true` would add another prefix.
      useSecureCookies: false,
      ipAddress: { ipAddressHeaders: [addressHeader] },
      // Skip the schema validation, because a test checks our migrations against the schema that better-auth expects. With joins,
      // a session and its user take one query.
      database: { generateId: () => randomUUIDv7(), validateSchema: false, joins: true },
    },
    logger: {
      level: 'error',
      log: (_level, message, ...details) => {
        if (details.some((detail) => storageProblemOf(detail) !== undefined)) return
        log.error({ details: details.map(loggable) }, `better-auth: ${withoutAddresses(String(message))}`)
      },
    },
  } satisfies BetterAuthOptions
}
