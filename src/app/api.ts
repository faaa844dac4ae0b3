import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import type { AccountMail } from '#features/account/server/account-mail.ts'
import { accountEndpoints } from '#features/account/server/account-routes.ts'
import { confirmedAddress } from '#features/account/server/account-store.ts'
import type { Auth } from '#features/account/server/auth.ts'
import { exportAccount } from '#features/account/server/exported-account-store.ts'
import { quickSignIn } from '#features/account/server/quick-sign-in.ts'
import { sessionReader } from '#features/account/server/session-store.ts'
import { signedInUser, signInSessionOf } from '#features/account/server/sign-in-session.ts'
import { exportFocusSessions, importFocusSessions } from '#features/focus/server/exported-focus-store.ts'
import { focusEndpoints } from '#features/focus/server/focus-routes.ts'
import { focusTimerEndpoints } from '#features/focus/server/focus-timer-routes.ts'
import {
  exportHabits,
  findMissingHabit,
  importCompletions,
  importHabits,
} from '#features/habits/server/exported-habit-store.ts'
import { setHabitAlarms } from '#features/habits/server/habit-reminder-store.ts'
import { habitEndpoints } from '#features/habits/server/habit-routes.ts'
import { preferencesEndpoints } from '#features/preferences/server/preferences-routes.ts'
import {
  importPreferences,
  lockTimeZone,
  readPreferences,
  type ZoneChanged,
} from '#features/preferences/server/preferences-store.ts'
import { reminderEndpoints } from '#features/reminders/server/reminder-routes.ts'
import { exportTodos, importTodos } from '#features/todos/server/exported-todo-store.ts'
import { todoEndpoints } from '#features/todos/server/todo-routes.ts'
import { type YourDataParts, yourDataEndpoints } from '#features/your-data/server/your-data-routes.ts'
import { dayOf, type Instant } from '#platform/calendar/day.ts'
import { dayHoldsUntil } from '#platform/calendar/next-day.ts'
import type { Database } from '#platform/database/database.ts'
import { isPassingFailure } from '#platform/database/passing-failure.ts'
import { clientAddress, clientNetwork } from '#platform/http/client-address.ts'
import type { HttpApp, HttpContext } from '#platform/http/context.ts'
import { type Endpoint, type Limit, publicEndpoint } from '#platform/http/endpoint.ts'
import { eventEndpoint, type SessionLook } from '#platform/http/event-routes.ts'
import { EventStreams } from '#platform/http/event-streams.ts'
import { healthEndpoint, isReachable, unreachable } from '#platform/http/health.ts'
import type { FirstTry } from '#platform/http/listen.ts'
import { mountEndpoints } from '#platform/http/mount.ts'
import { openApiDocument } from '#platform/http/openapi.ts'
import { countCall } from '#platform/http/rate-limit-store.ts'
import { type DayOfUser, ReadyAnswers } from '#platform/http/ready-answers.ts'
import { notFound, type Refusal, refuse, send } from '#platform/http/refusal.ts'
import { loggable, requestLog } from '#platform/http/request-log.ts'
import { headersForSecurity, securityHeaders } from '#platform/http/security-headers.ts'
import { serveWeb, type WebFiles } from '#platform/http/static-files.ts'
import type { Pusher } from '#platform/push/pusher.ts'
import packageJson from '../../package.json' with { type: 'json' }
import type { Configuration } from './configuration.ts'
import { type FailedRequest, hotPath } from './hot-path.ts'
import { remindAgain } from './remind-again.ts'

export interface Parts {
  database: Database
  auth: Auth
  /** Undefined where no mail is sent. */
  mail?: AccountMail | undefined
  pusher: Pusher
  settings: Pick<Configuration, 'baseUrl' | 'signUp' | 'proxies' | 'rateLimit'>
  log: Logger
  clock: () => Instant
  /** Another one where the program may answer otherwise; with every process another one when it is left out. */
  build?: string | undefined
  /** The built web; undefined where only the API is served. */
  web?: WebFiles | undefined
}

export interface App extends HttpApp {
  firstTry: FirstTry
  endpoints: readonly Endpoint[]
  /** Streams go on for as long as the program does: they are to be closed before the connections are. */
  events: Pick<EventStreams, 'close' | 'beat' | 'size'>
}

/** The whole application as one function from request to response. */
export function createApp(parts: Parts): App {
  const { database, auth, settings, log, clock, web, build = randomUUID() } = parts
  const https = settings.baseUrl?.startsWith('https://') ?? false
  const events = new EventStreams(database.changes, clock)
  const endpoints = allEndpoints(parts, events)
  // By the clock that better-auth goes by, since they share the sign-in sessions.
  const signIn = quickSignIn(database, auth, () => Date.now())
  const ready = new ReadyAnswers({ build, clock, dayOf: dayOfUser(database) })
  const app: HttpApp = new Hono()
  app.use(requestLog(log))
  app.use(securityHeaders(https))
  mountEndpoints(app, endpoints, {
    baseUrl: settings.baseUrl,
    ready,
    async signedInUser(c) {
      // It only ever says yes: where it fails, better-auth has the word.
      const signedIn = await signIn(c.req.header('cookie')).catch(() => undefined)
      c.set('signedIn', signedIn)
      return signedIn?.user ?? signedInUser(auth, c, addressOf(parts, c))
    },
    secondsToWait: (limit, c) => secondsToWait(parts, limit, c),
    brokeOff(error, c) {
      const of = { requestId: c.get('requestId'), route: c.get('route') }
      logFailure(parts, error, of, 'An answer broke off')
    },
  })
  serveWeb(app, web)
  app.notFound((c) => send(c, notFound))
  app.onError(async (error, c) => {
    return send(
      c,
      await refuseSurprise(parts, error, { requestId: c.get('requestId'), route: c.get('route') }),
    )
  })
  const firstTry = hotPath({
    signIn,
    ready,
    endpoints,
    baseUrl: settings.baseUrl,
    headers: headersForSecurity('answers', https),
    surprised: (error, of) => refuseSurprise(parts, error, of),
    log,
  })
  return Object.assign(app, { firstTry, endpoints, events })
}

/** Every call there is, the document that describes them included. */
function allEndpoints(parts: Parts, events: EventStreams): Endpoint[] {
  const preferencesOf = (user: string) => readPreferences(parts.database, user)
  const endpoints = [
    healthEndpoint(parts.database, packageJson.version),
    ...accountEndpoints({
      auth: parts.auth,
      database: parts.database,
      mail: parts.mail,
      signUp: parts.settings.signUp,
      addressOf: (c) => addressOf(parts, c),
      now: parts.clock,
    }),
    ...todoEndpoints(parts.database, parts.clock, preferencesOf),
    ...habitEndpoints(parts.database, parts.clock, preferencesOf, lockTimeZone),
    ...focusEndpoints(parts.database, parts.clock, preferencesOf),
    ...focusTimerEndpoints(parts.database, parts.clock),
    ...preferencesEndpoints(parts.database, parts.clock, moveAlarms(parts)),
    ...reminderEndpoints({
      database: parts.database,
      clock: parts.clock,
      pusher: parts.pusher,
      mailAddressOf: async (user) => parts.mail && (await confirmedAddress(parts.database, user))?.email,
      signInSessionOf: async (c) => (await signInSessionOf(parts.auth, c, addressOf(parts, c)))?.id,
      remindAgain: remindAgain(parts.database, preferencesOf),
    }),
    ...yourDataEndpoints(yourDataParts(parts, preferencesOf)),
    eventEndpoint(events, lookOf(parts)),
  ]
  const itself: Endpoint = publicEndpoint({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This document',
    takes: {},
    answers: { 200: z.looseObject({ openapi: z.string() }) },
    async handle() {
      return { status: 200, body: openApiDocument([...endpoints, itself], packageJson.version) }
    },
  })
  return [...endpoints, itself]
}

/** Once the sign-in session has ended, whoever holds a stream by it is told nothing more. */
function lookOf(parts: Parts): (c: HttpContext) => Promise<SessionLook | undefined> {
  const readSession = sessionReader(parts.database)
  return async (c) => {
    const signedIn = c.get('signedIn') ?? (await signInSessionOf(parts.auth, c, addressOf(parts, c)))
    if (!signedIn) return undefined
    const { token } = signedIn
    return {
      session: token,
      async look() {
        const session = await readSession(token)
        if (!session || session.expiresAt <= Date.now()) return undefined
        return { revision: session.revision ?? '' }
      },
    }
  }
}

/** Habits are reminded of by the clocks of the zone that somebody is in by now. */
function moveAlarms({ clock }: Parts): ZoneChanged {
  return (tx, user, zone) => setHabitAlarms(tx, user, zone, clock())
}

function yourDataParts(
  { database, clock }: Parts,
  preferencesOf: YourDataParts['preferencesOf'],
): YourDataParts {
  return {
    database,
    clock,
    preferencesOf,
    accountOf: (user) => exportAccount(database, user),
    listsOf: (user) => ({
      todos: exportTodos(database, user),
      habits: exportHabits(database, user),
      focus_sessions: exportFocusSessions(database, user),
    }),
    importers: {
      todos: importTodos,
      async habits(tx, user, habits, now) {
        const taken = await importHabits(tx, user, habits, now)
        if (taken.added.size + taken.restored.size > 0) {
          await setHabitAlarms(tx, user, await lockTimeZone(tx, user), now)
        }
        return taken
      },
      completions: importCompletions,
      async findMissingHabit(tx, user, ids) {
        // The first lock that an import takes, in the order of everybody who sets alarms: the zone, then the habits.
        await lockTimeZone(tx, user)
        return findMissingHabit(tx, user, ids)
      },
      focusSessions: importFocusSessions,
      async preferences(tx, user, preferences, at) {
        await importPreferences(tx, user, preferences, at)
        await setHabitAlarms(tx, user, await lockTimeZone(tx, user), at)
      },
    },
  }
}

function dayOfUser(database: Database): DayOfUser {
  return async (user, now) => {
    const { time_zone, day_start } = await readPreferences(database, user)
    return { day: dayOf(now, time_zone, day_start), until: dayHoldsUntil(now, time_zone, day_start) }
  }
}

function addressOf({ settings }: Parts, c: HttpContext): string {
  return clientAddress(c, settings.proxies)
}

async function secondsToWait(parts: Parts, limit: Limit, c: HttpContext): Promise<number> {
  if (!parts.settings.rateLimit) return 0
  const client = limit.per === 'user' ? c.get('user') : clientNetwork(addressOf(parts, c))
  return Math.ceil((await countCall(parts.database, limit, client, parts.clock())) / 1000)
}

/** Nothing of the inside goes out: the id in the message finds the error in the log. */
async function refuseSurprise(parts: Parts, error: unknown, of: FailedRequest): Promise<Refusal> {
  logFailure(parts, error, of, 'A request failed')
  if (isPassingFailure(error) || !(await isReachable(parts.database))) return unreachable
  return refuse(500, 'INTERNAL_ERROR', `Something went wrong here. The request was ${of.requestId}.`)
}

function logFailure({ log }: Parts, error: unknown, { requestId, route }: FailedRequest, what: string): void {
  log.error({ requestId, route, error: loggable(error) }, what)
}
