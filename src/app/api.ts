import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import * as z from 'zod/mini'
import type { AccountMail } from '#features/account/mail/server/account-mail.ts'
import { confirmedAddress } from '#features/account/mail/server/confirmed-address-store.ts'
import { accountEndpoints } from '#features/account/server/account-routes.ts'
import type { Auth } from '#features/account/session/server/better-auth.ts'
import { exportAccount } from '#features/account/session/server/exported-account-store.ts'
import { sessionLookup } from '#features/account/session/server/session-lookup.ts'
import { sessionLimit } from '#features/account/session/server/session-routes.ts'
import { sessionReader } from '#features/account/session/server/session-store.ts'
import { signedInUser, signInSessionOf } from '#features/account/session/server/sign-in-session.ts'
import { focusTimerEndpoints } from '#features/focus/timer/server/focus-timer-routes.ts'
import { leaveFocusTimer } from '#features/focus/timer/server/leave-timer.ts'
import { sessionsChanged } from '#features/habits/habit/server/changed-day-store.ts'
import { setHabitAlarms } from '#features/habits/reminder/server/habit-reminder-store.ts'
import { importEndpoints } from '#features/imports/writing/server/import-routes.ts'
import {
  type Importer,
  rememberedPreferences,
  rememberPreferences,
} from '#features/imports/writing/server/import-store.ts'
import { listsInUse } from '#features/lists/list/server/list-store.ts'
import { preferencesEndpoints } from '#features/preferences/server/preferences-routes.ts'
import {
  importPreferences,
  lockTimeZone,
  preferencesAlong,
  preferencesReader,
  restorePreferences,
  type ZoneChanged,
} from '#features/preferences/server/preferences-store.ts'
import { reminderEndpoints } from '#features/reminders/settings/server/reminder-routes.ts'
import { quickAddEndpoint } from '#features/todos/server/quick-add-routes.ts'
import { type YourDataParts, yourDataEndpoints } from '#features/your-data/server/your-data-routes.ts'
import { recomputeTodoAlarms } from '#platform/alarms/alarm-store.ts'
import { dayOf, type Instant } from '#platform/calendar/day.ts'
import { dayValidUntil } from '#platform/calendar/next-day.ts'
import type { Database } from '#platform/database/database.ts'
import { mendFutureInstants } from '#platform/database/instants/mend-future-instants.ts'
import { rowsChangedSince } from '#platform/database/revisions/change-log.ts'
import { isPassingFailure } from '#platform/database/storage/passing-failure.ts'
import { storageProblemOf } from '#platform/database/storage/storage-problem.ts'
import { changesEndpoint } from '#platform/http/api/changes.ts'
import { apiPipeline } from '#platform/http/api/pipeline.ts'
import { type OnResponse, reportResponses } from '#platform/http/api/report-responses.ts'
import { requestLog } from '#platform/http/api/request-log.ts'
import { type Bounds, sharedBounds, usualBounds } from '#platform/http/budget/budget-bounds.ts'
import { UserBudgets } from '#platform/http/budget/user-budget.ts'
import { type Endpoint, type Limit, publicEndpoint } from '#platform/http/endpoint/endpoint.ts'
import {
  type HealthParts,
  healthEndpoints,
  refusalOf,
  refusalOfMoved,
  refuseMoved,
  refuseUnusable,
} from '#platform/http/endpoint/health.ts'
import { openApiDocument } from '#platform/http/endpoint/openapi.ts'
import { changedReader } from '#platform/http/events/carried-responses.ts'
import { eventEndpoint, eventPath, type SessionOfEvents } from '#platform/http/events/event-routes.ts'
import { EventStreams } from '#platform/http/events/event-streams.ts'
import { CallCounts } from '#platform/http/guards/call-counts.ts'
import { countCall } from '#platform/http/guards/rate-limit-store.ts'
import { isOfApi, securityHeaders } from '#platform/http/guards/security-headers.ts'
import { clientAddress, clientNetworks, proxyWarning } from '#platform/http/request/client-address.ts'
import type { HttpContext, HttpHandler } from '#platform/http/request/context.ts'
import {
  type ErrorResponse,
  errorResponse,
  inJson,
  tooManyRequests,
} from '#platform/http/request/error-response.ts'
import { asksForHealth } from '#platform/http/request/health-path.ts'
import { inProcess } from '#platform/http/request/in-process.ts'
import { type DayOfUser, ResponseCache } from '#platform/http/responses/response-cache.ts'
import { serveWeb, type WebFiles } from '#platform/http/responses/static-files.ts'
import { type LaterWritesParts, withLaterWrites } from '#platform/http/row-calls/later-writes.ts'
import { loggable } from '#platform/log/loggable.ts'
import { metricsPath, serveMetrics } from '#platform/metrics/metrics-route.ts'
import { single } from '#platform/metrics/registry.ts'
import { countRequests } from '#platform/metrics/request-metrics.ts'
import type { Pusher } from '#platform/push/pusher.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { doctorEndpoint } from './operating/doctor-endpoint.ts'
import type { Metrics } from './operating/metrics.ts'
import { logStorage } from './operating/storage-log.ts'
import { exportedRows, rowEndpoints, rowImporters, tablesToMend } from './row-kinds.ts'
import type { Configuration } from './settings/configuration.ts'
import { snooze } from './snooze.ts'

export interface Parts {
  database: Database
  auth: Auth
  /** Undefined when no mail is sent. */
  mail?: AccountMail | undefined
  pusher: Pusher
  settings: Pick<Configuration, 'baseUrl' | 'signUp' | 'proxies' | 'rateLimit'>
  log: Logger
  clock: () => Instant
  /** A clock in milliseconds that nobody can set; the clock of this process when left out. */
  steady?: (() => number) | undefined
  /** Identifies the build, so that another build's responses are not reused. When left out, every process has its own. */
  build?: string | undefined
  /** The budget of each user; the usual one when left out. */
  bounds?: Bounds | undefined
  /** Undefined when nobody may read metrics. */
  metrics?: Metrics | undefined
  /** The built web app; undefined when only the API is served. */
  web?: WebFiles | undefined
}

export interface App {
  respond: HttpHandler
  /** Sends a request from the same process. */
  request: ReturnType<typeof inProcess>
  endpoints: readonly Endpoint[]
  /** Event streams stay open for as long as the program runs. Close them before the connections. */
  events: Pick<EventStreams, 'close' | 'heartbeat' | 'size'>
  /**
   * Reports from now on that no more requests should be sent here, though they are still handled. Returns whether somebody,
   * such as a proxy, watches these reports.
   */
  stopping(): { isWatched: boolean }
}

/** If nobody has asked for the health for this many milliseconds, no proxy watches it: proxies ask more often. */
const watchesAtLeastEvery = 65_000

interface FailedRequest {
  requestId: string
  route: string
}

/** The whole application as one function from request to response. */
export function createApp(parts: Parts): App {
  const { database, auth, settings, log, clock, web, build = randomUUID() } = parts
  const https = settings.baseUrl?.startsWith('https://') ?? false
  logStorage(database.storage, log)
  const events = new EventStreams(database.changes, clock, log)
  const { bounds = database.engine === 'sqlite' ? usualBounds : sharedBounds } = parts
  const budgets = settings.rateLimit ? new UserBudgets(clock, bounds) : undefined
  let isStopping = false
  let askedForHealthAt = Number.NEGATIVE_INFINITY
  const openEvents = eventEndpoint(
    events,
    eventSessionOf(parts, (c, user) => readerFor(c, user)),
  )
  const endpoints = allEndpoints(parts, openEvents, budgets, {
    isStopping: () => isStopping,
    asked() {
      askedForHealthAt = performance.now()
    },
  })
  // Uses better-auth's clock, since they share the sign-in sessions.
  const signIn = sessionLookup(database, auth, () => Date.now(), preferencesAlong)
  const responseCache = new ResponseCache({
    build,
    clock,
    dayOf: dayOfUser(preferencesReader(database)),
    // Every answer depends on the preferences: on the zone, and on where days and weeks begin.
    changedRows: (user, collection, revisions) =>
      rowsChangedSince(database.read, user, collection, { ...revisions, always: ['preferences'] }),
  })
  const counts = new CallCounts()
  const onResponse = reporterOf(parts, events)
  const warnOfProxy = proxyWarning(log, settings.proxies)
  const withHeaders = securityHeaders(https)
  const handleApi = apiPipeline(endpoints, {
    baseUrl: settings.baseUrl,
    responseCache,
    budgets,
    async signedInUser(c) {
      // The quick lookup can only confirm a session. When it does not, better-auth decides.
      try {
        c.signedIn = await signIn(c.request.header('cookie'))
      } catch {
        c.signedIn = undefined
      }
      if (c.signedIn) return c.signedIn.user
      // Anyone can send cookies that the quick lookup does not know, and a lookup by better-auth costs twenty times as much.
      const seconds = c.request.header('cookie') ? await secondsToWait(parts, counts, sessionLimit, c) : 0
      return seconds > 0 ? tooManyRequests(seconds) : signedInUser(auth, c, addressOf(parts, c))
    },
    secondsToWait: (limit, c) => secondsToWait(parts, counts, limit, c),
    brokeOff: (error, c) => logFailure(parts, error, c, 'An answer broke off'),
  })
  const readerFor = changedReader({
    endpoints,
    respond: handleApi,
    tagAt: (...of) => responseCache.tagAt(...of),
  })
  const handleMetrics = parts.metrics && serveMetrics(parts.metrics.registry, parts.metrics.token)
  const handleWeb = serveWeb(web)
  const respond = reportResponses(onResponse, async (c) => {
    warnOfProxy(c.request)
    try {
      if (!isOfApi(c.path)) return withHeaders(c, await (handleMetrics?.(c) ?? handleWeb(c)))
      const moved = asksForHealth(c.path) ? undefined : refuseMoved(database)
      return withHeaders(c, moved ? inJson(moved) : await handleApi(c))
    } catch (error) {
      return withHeaders(c, inJson(await unexpectedError(parts, error, c)))
    }
  })
  return {
    respond,
    request: inProcess(respond),
    endpoints,
    events,
    stopping() {
      isStopping = true
      // From here on, devices listen to another process.
      events.close()
      return { isWatched: performance.now() - askedForHealthAt < watchesAtLeastEvery }
    },
  }
}

/** Reports each response to the log, and to the metrics when somebody may read them. */
function reporterOf({ log, metrics }: Parts, events: EventStreams): OnResponse {
  const toLog = requestLog(log)
  if (!metrics) return toLog
  const { registry } = metrics
  const count = countRequests(registry, (route) => route === eventPath)
  registry.add(
    single('daymark_event_streams', 'Streams of events that are open.', 'gauge', () => events.size),
  )
  return (report) => {
    count(report)
    if (report.route !== metricsPath) toLog(report)
  }
}

/** Every endpoint, including the OpenAPI document of all endpoints. */
function allEndpoints(
  parts: Parts,
  openEvents: Endpoint,
  budgets: UserBudgets | undefined,
  health: Pick<HealthParts, 'isStopping' | 'asked'>,
): Endpoint[] {
  const preferencesOf = preferencesReader(parts.database)
  const laterWrites: LaterWritesParts = {
    clock: parts.clock,
    steady: parts.steady ?? (() => performance.now()),
    mend: (user, when) => mendFutureInstants(parts.database, tablesToMend, user, when),
  }
  const collectionEndpoints = withLaterWrites(
    [
      ...rowEndpoints({ ...parts, preferencesOf }),
      ...focusTimerEndpoints(parts.database, parts.clock),
      ...preferencesEndpoints(parts.database, parts.clock, moveAlarms(parts)),
    ],
    laterWrites,
  )
  const endpoints = [
    ...healthEndpoints({ database: parts.database, version: packageJson.version, ...health }),
    ...accountEndpoints({
      auth: parts.auth,
      database: parts.database,
      mail: parts.mail,
      signUp: parts.settings.signUp,
      rateLimit: parts.settings.rateLimit,
      addressOf: (c) => addressOf(parts, c),
      onSignedOutEverywhere: (user) => leaveTimer(parts, user, preferencesOf),
      now: parts.clock,
    }),
    ...collectionEndpoints,
    changesEndpoint({
      endpoints: collectionEndpoints.filter(({ method }) => method !== 'GET'),
      budgets,
      onUnexpectedError: (error, of) => unexpectedError(parts, error, of),
    }),
    quickAddEndpoint({
      clock: parts.clock,
      preferencesOf,
      listsOf: (user) => listsInUse(parts.database, user),
    }),
    ...reminderEndpoints({
      database: parts.database,
      clock: parts.clock,
      pusher: parts.pusher,
      mailAddressOf: async (user) => parts.mail && (await confirmedAddress(parts.database, user))?.email,
      signInSessionOf: async (c) => (await signInSessionOf(parts.auth, c, addressOf(parts, c)))?.id,
      snooze: snooze(parts.database, preferencesOf),
    }),
    ...yourDataEndpoints(yourDataParts(parts, preferencesOf)),
    ...withLaterWrites(
      importEndpoints({
        database: parts.database,
        clock: parts.clock,
        importers: allImporters(parts, preferencesOf),
      }),
      laterWrites,
    ),
    openEvents,
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
    responses: { 200: z.looseObject({ openapi: z.string() }) },
    async handle() {
      return { status: 200, body: openApiDocument([...endpoints, itself], packageJson.version) }
    },
  })
  return [...endpoints, itself]
}

/**
 * Stops the user's timer at sign-out. The sign-out succeeds in any case: a timer that could not be stopped is only logged.
 */
async function leaveTimer(
  { database, clock, log }: Parts,
  user: string,
  preferencesOf: YourDataParts['preferencesOf'],
): Promise<void> {
  await leaveFocusTimer(database, user, clock(), () => preferencesOf(user), sessionsChanged).catch(
    (error) => {
      if (storageProblemOf(error) !== undefined) return
      log.error({ error: loggable(error) }, 'A focus timer could not be ended at the last sign-out')
    },
  )
}

/** Returns a reader of event sessions. After the sign-in session has ended, its streams send nothing more. */
function eventSessionOf(parts: Parts, readerFor: ReturnType<typeof changedReader>): SessionOfEvents {
  const readSession = sessionReader(parts.database, [])
  return async (c) => {
    const signedIn = c.signedIn ?? (await signInSessionOf(parts.auth, c, addressOf(parts, c)))
    if (!signedIn) return undefined
    const { token } = signedIn
    return {
      session: token,
      readChanged: readerFor(c, c.user),
      async readRevision() {
        const session = await readSession(token)
        if (!session || session.expiresAt <= Date.now()) return undefined
        return { revision: session.revision ?? '' }
      },
    }
  }
}

/** Moves reminders at a time of day into the time zone that the user is in now. */
function moveAlarms({ clock }: Parts): ZoneChanged {
  return async (tx, user, zone) => {
    await setHabitAlarms(tx, user, zone, clock())
    await recomputeTodoAlarms(tx, user, clock())
  }
}

function yourDataParts(
  { database, clock }: Parts,
  preferencesOf: YourDataParts['preferencesOf'],
): YourDataParts {
  return {
    clock,
    preferencesOf,
    accountOf: (user) => exportAccount(database, user),
    collectionsOf: (user) => exportedRows(database, user),
  }
}

function allImporters(parts: Parts, preferencesOf: YourDataParts['preferencesOf']): Importer[] {
  const { database, clock } = parts
  const zoneChanged = moveAlarms(parts)
  return [
    ...rowImporters({ database, clock, preferencesOf }),
    // Last, since all other rows have to exist before the preferences apply.
    {
      collection: 'preferences',
      async importRows(tx, user, { preferences }, now, _adding, importId) {
        if (!preferences) return {}
        const was = await importPreferences(tx, user, preferences, now)
        if (importId !== null) await rememberPreferences(tx, user, importId, { was, is: preferences })
        await setHabitAlarms(tx, user, await lockTimeZone(tx, user), now)
        await recomputeTodoAlarms(tx, user, now)
        return {}
      },
      async undo(db, user, importId, now) {
        const changed = await rememberedPreferences(db.read, user, importId)
        if (changed) await restorePreferences(db, user, changed, now, zoneChanged)
        return {}
      },
    },
  ]
}

function dayOfUser(preferencesOf: YourDataParts['preferencesOf']): DayOfUser {
  return async (user, now) => {
    const { time_zone, day_start } = await preferencesOf(user)
    return { day: dayOf(now, time_zone, day_start), until: dayValidUntil(now, time_zone, day_start) }
  }
}

function addressOf({ settings }: Parts, c: HttpContext): string {
  return clientAddress(c.request, settings.proxies)
}

// How many times the usual limit a larger network gets. Over IPv6, one household may have a whole /48 network, but some providers
// share one among many households.
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
    if (of.counted) return counts.count(of, client, clock())
    return countCall(database, of, client, clock()).catch((error) => {
      if (limit.letsInUncounted && storageProblemOf(error) !== undefined) return 0
      throw error
    })
  }
  if (limit.per === 'user') return inSeconds(await wait(c.user))
  const [narrow, wide] = clientNetworks(addressOf(parts, c))
  const refused = await wait(narrow)
  if (refused > 0 || wide === undefined) return inSeconds(refused)
  return inSeconds(await wait(wide, { ...limit, max: limit.max * largerAllowance }))
}

function inSeconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000)
}

/** The response to an unexpected error. It contains no internal detail, only an id that leads to the error in the log. */
async function unexpectedError(parts: Parts, error: unknown, of: FailedRequest): Promise<ErrorResponse> {
  const moved = refusalOfMoved(error)
  if (moved) return moved
  logFailure(parts, error, of, 'A request failed')
  if (isPassingFailure(error)) return refusalOf(storageProblemOf(error))
  const unusable = await refuseUnusable(parts.database)
  return (
    unusable ??
    errorResponse(500, 'INTERNAL_ERROR', `Something went wrong on the server. Request ID: ${of.requestId}.`)
  )
}

function logFailure({ log }: Parts, error: unknown, { requestId, route }: FailedRequest, what: string): void {
  // A storage problem is logged once, when it begins.
  if (storageProblemOf(error) !== undefined) return
  log.error({ requestId, route, error: loggable(error) }, what)
}
