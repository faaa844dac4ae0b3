import { randomUUIDv7 } from 'node:crypto'
import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import type { Database } from '#platform/database/database.ts'
import { storageProblemOf } from '#platform/database/storage-problem.ts'
import { loggable, withoutAddresses } from '#platform/http/request-log.ts'
import type { AccountMail } from './account-mail.ts'
import { deleteAccount } from './account-store.ts'
import { endAllSessions, isClosed } from './closed-account-store.ts'
import { endSurplusSessions } from './session-store.ts'

export interface AuthSettings {
  secret: string
  /** The public origin, if one is configured. */
  baseUrl: string | undefined
  /** Undefined where no mail is sent. */
  mail?: AccountMail | undefined
  /** How passwords are kept; the slow way of better-auth without it, which is for whoever guesses at a stolen database. */
  passwords?: Passwords | undefined
}

/** The header in which better-auth is told the client's address. Only ever written by us, on requests that we make. */
export const addressHeader = 'x-daymark-address'

const hour = 60 * 60
const day = 24 * hour
/** Milliseconds after which somebody has to sign in again, however often they were there. */
const longestSignIn = 365 * day * 1000

export type Auth = ReturnType<typeof createAuth>

/**
 * better-auth on our database. It is only reached through our own endpoints, which have checked origin, body and
 * limits before: so its router, its rate limiter and its guesses at the base URL are not used.
 */
export function createAuth(database: Database, settings: AuthSettings, log: Logger) {
  return Object.assign(betterAuth(authOptions(database, settings, log)), {
    /** Sign-in sessions of the user have ended: what is open by them is to end in every process. */
    tellSignedOut: (user: string) => database.changes.tell(user),
    /** It says of a failed write no more than that it failed. */
    storageProblem: () => database.storage.problem(),
  })
}

/** For whoever has proved in another way than by a password to be the user. Only reached from here: nothing mounts it. */
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

/** After the right password only, so that nobody else hears whose account is closed. */
async function refuseClosed(database: Database, user: string): Promise<void> {
  if (!(await isClosed(database, user))) return
  throw new APIError('FORBIDDEN', {
    code: 'ACCOUNT_CLOSED',
    message: 'This account is closed. Contact whoever runs this server.',
  })
}

export interface Passwords {
  hash(password: string): Promise<string>
  verify(kept: { hash: string; password: string }): Promise<boolean>
}

interface ToBeMailed {
  user: { name: string; email: string }
  token: string
}

export function authOptions(
  database: Database,
  { secret, baseUrl, mail, passwords }: AuthSettings,
  log: Logger,
) {
  const https = baseUrl?.startsWith('https://') ?? false
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
      ...(passwords && { password: passwords }),
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
        expiresIn: day,
        async sendVerificationEmail({ user, token }: ToBeMailed) {
          mail.addressCheck(user, token)
        },
      },
    }),
    // A copy of the database opens no account: it holds no token that could still be used.
    verification: { storeIdentifier: 'hashed' },
    // Thirty days without a visit; its last use is known to the hour, so it is written at most that often.
    // Without a cache, one that is ended is out at its next request.
    session: { expiresIn: 30 * day, updateAge: hour, cookieCache: { enabled: false } },
    user: {
      deleteUser: {
        enabled: true,
        // After it, nothing is left for better-auth to delete, which it would do piece by piece.
        beforeDelete: (user) => deleteAccount(database, user, Date.now()),
      },
    },
    databaseHooks: {
      session: {
        create: {
          before: ({ userId }) => refuseClosed(database, userId),
          async after({ userId }) {
            // Closed since it was asked for: whoever closed it may have ended the sessions before this one was there.
            if (await isClosed(database, userId)) {
              await endAllSessions(database, userId)
              await refuseClosed(database, userId)
            }
            // No account has more than a hundred.
            await endSurplusSessions(database, userId)
          },
        },
        // All who read a sign-in session go by its end, so the year is kept to where that is put off.
        update: {
          before: async ({ expiresAt }, context) => {
            const extended = context?.context.session?.session
            if (!extended || expiresAt === undefined) return
            const end = new Date(extended.createdAt.getTime() + longestSignIn)
            if (expiresAt > end) return { data: { expiresAt: end } }
          },
        },
        // However better-auth ends one; what is ended or deleted by us is told of there.
        delete: { after: async ({ userId }) => database.changes.tell(userId) },
      },
    },
    plugins: [signInWithoutPassword],
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      // Over https a browser takes it from this host alone, not from a sibling domain nor over http. Over plain http, as in a
      // home network, it would never send such a cookie back.
      cookiePrefix: https ? '__Host-daymark' : 'daymark',
      defaultCookieAttributes: { secure: https },
      // That is a prefix of its own.
      useSecureCookies: false,
      ipAddress: { ipAddressHeaders: [addressHeader] },
      // The tables are ours: their migrations are tested against what better-auth expects.
      // With a join, a sign-in session and its user are one query.
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
