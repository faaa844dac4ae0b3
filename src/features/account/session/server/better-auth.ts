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
  /** The public origin, if one is configured. */
  baseUrl: string | undefined
  /** Undefined if no mail is sent. */
  mail?: AuthMail | undefined
  /** How passwords are hashed. Defaults to better-auth's slow hash, which makes guessing from a stolen database expensive. */
  passwords?: Passwords | undefined
  /** Leaves nothing for better-auth to delete afterwards, which it would do row by row. */
  deleteAccount(user: { id: string; email: string }): Promise<void>
}

export interface Recipient {
  name: string
  email: string
}

/** The mail that better-auth asks for. */
export interface AuthMail {
  passwordReset(to: Recipient, token: string): void
  emailVerification(to: Recipient, token: string): void
}

/** The header that passes the client's address to better-auth. Only we set it, on requests that we make. */
export const addressHeader = 'x-daymark-address'

const hour = 60 * 60
const day = 24 * hour
/** Milliseconds after which somebody has to sign in again, however often they visited. */
const maxSignIn = 365 * day * 1000

export type Auth = ReturnType<typeof betterAuthOn>

/**
 * better-auth on our database. Only our own endpoints call it, after they have checked origin, body and limits: its router,
 * its rate limiter and its guesses at the base URL are not used.
 */
export function betterAuthOn(database: Database, settings: AuthSettings, log: Logger) {
  return Object.assign(betterAuth(authOptions(database, settings, log)), {
    /** Ends open connections of the user's ended sign-in sessions in every process. */
    notifySignedOut: (user: string) => database.changes.notify(user),
    /** better-auth only reports that a write failed; this says why. */
    storageProblem: () => database.storage.problem(),
  })
}

/** For people who have proved in another way than by a password who they are. Called only from here: nothing mounts it. */
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

/** Checked only after the right password, so that nobody else learns whose account is closed. */
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
    // None of the endpoints that we open builds an address from it.
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
    // A copy of the database opens no account: it holds no token that could still be used.
    verification: { storeIdentifier: 'hashed' },
    // Ends after thirty days without a visit. The last use is known to the hour, so it is written at most that often.
    // Without a cookie cache, an ended session is refused from its next request on.
    session: { expiresIn: 30 * day, updateAge: hour, cookieCache: { enabled: false } },
    user: { deleteUser: { enabled: true, beforeDelete: deleteAccount } },
    databaseHooks: {
      session: {
        create: {
          before: ({ userId }) => refuseClosed(database, userId),
          async after({ userId }) {
            // The account may have been closed in the meantime, before this session was there to be ended.
            if (await isClosed(database, userId)) {
              await endAllSessions(database, userId)
              await refuseClosed(database, userId)
            }
            // No account has more than a hundred.
            await endSurplusSessions(database, userId)
          },
        },
        // Everything that reads a sign-in session goes by its end, so the one-year limit is enforced where that is
        // extended.
        update: {
          before: async ({ expiresAt }, context) => {
            const extended = context?.context.session?.session
            if (!extended || expiresAt === undefined) return
            const end = new Date(extended.createdAt.getTime() + maxSignIn)
            if (expiresAt > end) return { data: { expiresAt: end } }
          },
        },
        // However better-auth ends a session. Our own code notifies where it ends or deletes one.
        delete: { after: async ({ userId }) => database.changes.notify(userId) },
      },
    },
    plugins: [signInWithoutPassword],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      // Over https, browsers accept it from this host only, not from a sibling domain or over http. Over plain http, as in
      // a home network, they would never send such a cookie back.
      cookiePrefix: https ? '__Host-daymark' : 'daymark',
      defaultCookieAttributes: { secure: https },
      // That would add a prefix of its own.
      useSecureCookies: false,
      ipAddress: { ipAddressHeaders: [addressHeader] },
      // The tables are ours: their migrations are tested against what better-auth expects.
      // With a join, a sign-in session and its user take one query.
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
