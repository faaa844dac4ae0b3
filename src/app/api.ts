import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import type { AccountMail } from '#features/account/server/account-mail.ts'
import { accountEndpoints, sessionLimit } from '#features/account/server/account-routes.ts'
import { confirmedAddress } from '#features/account/server/account-store.ts'
import type { Auth } from '#features/account/server/auth.ts'
import { exportAccount } from '#features/account/server/exported-account-store.ts'
import { quickSignIn } from '#features/account/server/quick-sign-in.ts'
import { sessionReader } from '#features/account/server/session-store.ts'
import { signedInUser, signInSessionOf } from '#features/account/server/sign-in-session.ts'
import { exportFocusSessions, importFocusSessions } from '#features/focus/server/exported-focus-store.ts'
import { focusEndpoints } from '#features/focus/server/focus-routes.ts'
import { focusTimerEndpoints } from '#features/focus/server/focus-timer-routes.ts'
import { leaveFocusTimer } from '#features/focus/server/leave-timer.ts'
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
import { storageProblemOf } from '#platform/database/storage-problem.ts'
import { type OnAnswered, tellOfAnswers } from '#platform/http/answered.ts'
import { type Bounds, usualBounds } from '#platform/http/budget-bounds.ts'
import { CallCounts } from '#platform/http/call-counts.ts'
import { changesEndpoint } from '#platform/http/changes.ts'
import { clientAddress, clientNetworks, proxyWarning } from '#platform/http/client-address.ts'
import type { HttpApp, HttpContext } from '#platform/http/context.ts'
import { type Endpoint, type Limit, publicEndpoint } from '#platform/http/endpoint.ts'
import { eventEndpoint, eventPath, type SessionLook } from '#platform/http/event-routes.ts'
import { EventStreams } from '#platform/http/event-streams.ts'
import { healthEndpoint, refusalOf, refuseUnusable } from '#platform/http/health.ts'
import type { FirstTry } from '#platform/http/listen.ts'
import { mountEndpoints } from '#platform/http/mount.ts'
import { openApiDocument } from '#platform/http/openapi.ts'
import { countCall } from '#platform/http/rate-limit-store.ts'
import { type DayOfUser, ReadyAnswers } from '#platform/http/ready-answers.ts'
import { notFound, type Refusal, refuse, send, tooManyRequests } from '#platform/http/refusal.ts'
import { loggable, requestLog } from '#platform/http/request-log.ts'
import { headersForSecurity, securityHeaders } from '#platform/http/security-headers.ts'
import { serveWeb, type WebFiles } from '#platform/http/static-files.ts'
import { UserBudgets } from '#platform/http/user-budget.ts'
import { metricsPath, serveMetrics } from '#platform/metrics/metrics-route.ts'
import { single } from '#platform/metrics/registry.ts'
import { countRequests } from '#platform/metrics/request-figures.ts'
import type { Pusher } from '#platform/push/pusher.ts'
import packageJson from '../../package.json' with { type: 'json' }
import type { Configuration } from './configuration.ts'
import { doctorEndpoint } from './doctor-endpoint.ts'
import { type FailedRequest, hotPath } from './hot-path.ts'
import type { Metrics } from './metrics.ts'
import { remindAgain } from './remind-again.ts'
import { logStorage } from './storage-log.ts'

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
  /** What each user may cost, unless it is as usual. */
  bounds?: Bounds | undefined
  /** Undefined where nobody may read figures. */
  metrics?: Metrics | undefined
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
  logStorage(database.storage, log)
  const events = new EventStreams(database.changes, clock, log)
  const { bounds = usualBounds } = parts
  const budgets = settings.rateLimit ? new UserBudgets(clock, bounds) : undefined
  const endpoints = allEndpoints(parts, events, budgets)
  // By the clock that better-auth goes by, since they share the sign-in sessions.
  const signIn = quickSignIn(database, auth, () => Date.now())
  const ready = new ReadyAnswers({ build, clock, dayOf: dayOfUser(database) })
  const counts = new CallCounts()
  const onAnswered = answeredOf(parts, events)
  const app: HttpApp = new Hono()
  app.use(tellOfAnswers(onAnswered))
  app.use(proxyWarning(log, settings.proxies))
  app.use(securityHeaders(https))
  mountEndpoints(app, endpoints, {
    baseUrl: settings.baseUrl,
    ready,
    budgets,
    async signedInUser(c) {
      // It only ever says yes: where it fails, better-auth has the word.
      const signedIn = await signIn(c.req.header('cookie')).catch(() => undefined)
      c.set('signedIn', signedIn)
      if (signedIn) return signedIn.user
      // Anybody can bring cookies that are not told quickly, and asking better-auth costs twenty times as much.
      const seconds = c.req.header('cookie') ? await secondsToWait(parts, counts, sessionLimit, c) : 0
      return seconds > 0 ? tooManyRequests(seconds) : signedInUser(auth, c, addressOf(parts, c))
    },
    secondsToWait: (limit, c) => secondsToWait(parts, counts, limit, c),
    brokeOff(error, c) {
      const of = { requestId: c.get('requestId'), route: c.get('route') }
      logFailure(parts, error, of, 'An answer broke off')
    },
  })
  if (parts.metrics) serveMetrics(app, parts.metrics.registry, parts.metrics.token)
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
    budgets,
    endpoints,
    baseUrl: settings.baseUrl,
    headers: headersForSecurity('answers', https),
    surprised: (error, of) => refuseSurprise(parts, error, of),
    onAnswered,
  })
  return Object.assign(app, { firstTry, endpoints, events })
}

/** Who hears of each answer: the log, and the figures where somebody may read them. */
function answeredOf({ log, metrics }: Parts, events: EventStreams): OnAnswered {
  const toLog = requestLog(log)
  if (!metrics) return toLog
  const { registry } = metrics
  const count = countRequests(registry, (route) => route === eventPath)
  registry.add(
    single('daymark_event_streams', 'Streams of events that are open.', 'gauge', () => events.size),
  )
  return (answered) => {
    count(answered)
    if (answered.route !== metricsPath) toLog(answered)
  }
}

/** Every call there is, the document that describes them included. */
function allEndpoints(parts: Parts, events: EventStreams, budgets: UserBudgets | undefined): Endpoint[] {
  const preferencesOf = (user: string) => readPreferences(parts.database, user)
  const ofLists = [
    ...todoEndpoints(parts.database, parts.clock, preferencesOf),
    ...habitEndpoints(parts.database, parts.clock, preferencesOf, lockTimeZone),
    ...focusEndpoints(parts.database, parts.clock, preferencesOf),
    ...focusTimerEndpoints(parts.database, parts.clock),
    ...preferencesEndpoints(parts.database, parts.clock, moveAlarms(parts)),
  ]
  const endpoints = [
    healthEndpoint(parts.database, packageJson.version),
    ...accountEndpoints({
      auth: parts.auth,
      database: parts.database,
      mail: parts.mail,
      signUp: parts.settings.signUp,
      rateLimit: parts.settings.rateLimit,
      addressOf: (c) => addressOf(parts, c),
      leftByAll: (user) => leaveTimer(parts, user, preferencesOf),
      now: parts.clock,
    }),
    ...ofLists,
    changesEndpoint({
      endpoints: ofLists.filter(({ method }) => method !== 'GET'),
      budgets,
      surprised: (error, of) => refuseSurprise(parts, error, of),
    }),
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
    doctorEndpoint({
      secret: async () => (await parts.auth.$context).secret,
      version: packageJson.version,
      proxies: parts.settings.proxies,
      clock: parts.clock,
    }),
  ]
  const itself: Endpoint = publicEndpoint({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This document',
    fixed: true,
    takes: {},
    answers: { 200: z.looseObject({ openapi: z.string() }) },
    async handle() {
      return { status: 200, body: openApiDocument([...endpoints, itself], packageJson.version) }
    },
  })
  return [...endpoints, itself]
}

/** Whoever signed out is signed out: that the timer could not be left is told in the log alone. */
async function leaveTimer(
  { database, clock, log }: Parts,
  user: string,
  preferencesOf: YourDataParts['preferencesOf'],
): Promise<void> {
  await leaveFocusTimer(database, user, clock(), () => preferencesOf(user)).catch((error) => {
    if (storageProblemOf(error) !== undefined) return
    log.error({ error: loggable(error) }, 'A focus timer could not be ended at the last sign-out')
  })
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
        const come = taken.added.union(taken.restored)
        if (come.size > 0) await setHabitAlarms(tx, user, await lockTimeZone(tx, user), now, come)
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

// Of IPv6 a household may have all of a /48, and some providers give one to many.
const largerAllowance = 4

async function secondsToWait(
  parts: Parts,
  counts: CallCounts,
  limit: Limit,
  c: HttpContext,
): Promise<number> {
  const { database, settings, clock } = parts
  if (!settings.rateLimit) return 0
  const wait = async (client: string, of = limit) => {
    if (of.kept) return counts.count(of, client, clock())
    return countCall(database, of, client, clock()).catch((error) => {
      if (limit.letsInUncounted && storageProblemOf(error) !== undefined) return 0
      throw error
    })
  }
  if (limit.per === 'user') return inSeconds(await wait(c.get('user')))
  const [narrow, wide] = clientNetworks(addressOf(parts, c))
  const refused = await wait(narrow)
  if (refused > 0 || wide === undefined) return inSeconds(refused)
  return inSeconds(await wait(wide, { ...limit, max: limit.max * largerAllowance }))
}

function inSeconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000)
}

/** Nothing of the inside goes out: the id in the message finds the error in the log. */
async function refuseSurprise(parts: Parts, error: unknown, of: FailedRequest): Promise<Refusal> {
  logFailure(parts, error, of, 'A request failed')
  if (isPassingFailure(error)) return refusalOf(storageProblemOf(error))
  const unusable = await refuseUnusable(parts.database)
  return (
    unusable ??
    refuse(500, 'INTERNAL_ERROR', `Something went wrong on the server. Request ID: ${of.requestId}.`)
  )
}

function logFailure({ log }: Parts, error: unknown, { requestId, route }: FailedRequest, what: string): void {
  // It is told once, when it begins.
  if (storageProblemOf(error) !== undefined) return
  log.error({ requestId, route, error: loggable(error) }, what)
}
