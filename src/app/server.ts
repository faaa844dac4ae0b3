import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { accountMail } from '#features/account/mail/server/account-mail.ts'
import { createAuth } from '#features/account/server/auth.ts'
import type { Database } from '#platform/database/database.ts'
import { migrations } from '#platform/database/migrations/migrations.ts'
import { openDatabase } from '#platform/database/opening/open-database.ts'
import { DatabaseError, DatabaseSettingError } from '#platform/database/storage/database-error.ts'
import { type CurrentHandler, type Listening, listen, notYet } from '#platform/http/request/listen.ts'
import { readWebFiles } from '#platform/http/responses/static-files.ts'
import { openLog, surviveFullStandardError } from '#platform/log/log.ts'
import { loggable } from '#platform/log/loggable.ts'
import { openMailer } from '#platform/mail/mailer.ts'
import { readOrCreatePushKeys } from '#platform/push/push-key-store.ts'
import { openPusher } from '#platform/push/pusher.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { createApp } from './api.ts'
import { BackupError } from './backups/backup-error.ts'
import { compactInstant } from './backups/backup-name.ts'
import { requireBackups } from './backups/make-backup.ts'
import { backUpInChildProcess, scheduleBackups } from './backups/schedule.ts'
import { keepTidy } from './housekeeping.ts'
import { putEventLoopFirst } from './operating/event-loop-first.ts'
import { collectMetrics } from './operating/metrics.ts'
import { tellServiceManager } from './operating/service-manager.ts'
import { remindingOf } from './reminding.ts'
import { userTables } from './row-kinds.ts'
import { SecretError, storedSecret } from './settings/auth-secret.ts'
import type { BackupSettings } from './settings/backup-settings.ts'
import { type Configuration, readConfiguration } from './settings/configuration.ts'

/** How long the parts of a shutdown may take, in milliseconds from the signal. */
interface Shutdown {
  /** Time for requests and mail under way to finish. */
  patience: number
  /** Time for the whole shutdown, even when the database no longer responds. */
  deadline: number
  /** Time to keep handling requests after reporting 'not ready', for a proxy that has other processes. */
  drain?: number
}

// The usual limits. Docker kills the process after ten seconds. A proxy that checks every second notices the 'not ready' before
// the drain ends.
const beforeDockerKills: Shutdown = { patience: 8_000, deadline: 9_000, drain: 2_500 }
// Milliseconds in which two signals count as one press: the terminal sends Ctrl+C to the program, and npm forwards it again.
const onePress = 500
/** The file that marks a return to this version after an update; written by `scripts/update`. */
const goBackFile = join(import.meta.dirname, '../../dist/go-back')
/** Milliseconds for which that mark is valid. A forgotten mark must not cause a good database to be set aside some day. */
const goBackWithin = 3_600_000

surviveFullStandardError()
const log = openLog()

class PortError extends Error {}

if (import.meta.main) await start()

/** Serves until the process receives a signal to stop. A program that embeds the server may pass its own ready message. */
export async function start(reportReady = printReady, shutdown = beforeDockerKills): Promise<void> {
  const reason = await tryToServe(process.env, reportReady, shutdown)
  if (reason !== undefined) refuseToStart(reason)
}

/** Starts serving. Resolves with undefined once it serves, or with the reason if the settings do not allow it. */
export async function tryToServe(
  environment: NodeJS.ProcessEnv,
  reportReady = printReady,
  shutdown = beforeDockerKills,
): Promise<string | undefined> {
  const reading = readConfiguration(environment)
  if ('wrong' in reading) return reading.wrong
  try {
    log.level = reading.configuration.logLevel
    for (const doubt of reading.doubts) {
      say(doubt)
      log.warn(doubt)
    }
    await serve(reading.configuration, reportReady, shutdown)
    return undefined
  } catch (error) {
    const reason = reasonNotToStart(error)
    if (reason === undefined) throw error
    return reason
  }
}

async function serve(
  configuration: Configuration,
  reportReady: typeof printReady,
  shutdown: Shutdown,
): Promise<void> {
  await putEventLoopFirst()
  // Take the port first: a second server on the same data stops here, before it has changed anything.
  const current: CurrentHandler = { respond: notYet(packageJson.version) }
  const listening = await takePort(current, configuration)
  try {
    const { backups, place } = configuration
    if (backups?.every !== undefined) await requireBackups(place, backups)
    const database = await openDatabase(configuration.databaseUrl, migrations, {
      directUrl: configuration.directUrl,
      poolSize: configuration.poolSize,
      report: (message) => log.info(message),
      goBack: isGoingBack(Date.now()) ? `.newer-${compactInstant(Date.now())}` : undefined,
    })
    try {
      reportReady(await serveFrom(database, current, listening, configuration, shutdown))
      tellServiceManager(log)
      log.info({ port: listening.port }, 'Started')
    } catch (error) {
      await database.close()
      throw error
    }
  } catch (error) {
    await listening.close(0)
    throw error
  }
}

/** Starts all parts of the server, and returns the URL to open. */
async function serveFrom(
  opened: Database,
  current: CurrentHandler,
  listening: Listening,
  configuration: Configuration,
  { patience, deadline, drain = 0 }: Shutdown,
): Promise<string> {
  const { host, secret: given, baseUrl, backups, metricsToken: token } = configuration
  const measured = token ? collectMetrics({ database: opened, token, backups, clock: Date.now }) : undefined
  const database = measured?.database ?? opened
  const secret = 'value' in given ? given.value : await storedSecret(given.file)
  const mailer = configuration.mail && openMailer(configuration.mail, log)
  const mail = mailer && configuration.mail && accountMail(mailer, configuration.mail.baseUrl)
  const auth = createAuth(database, { secret, baseUrl, mail, userTables }, log)
  const pusher = openPusher(
    { contact: pushContact(configuration), to: configuration.pushTo, log },
    () => readOrCreatePushKeys(database),
    Date.now,
  )
  // Create the keys at the first start, not when the first browser requests them.
  await pusher.publicKey()
  const web = await readWebFiles(join(import.meta.dirname, '../../dist/web'))
  const build = await readBuild()
  const app = createApp({
    database,
    auth,
    mail,
    pusher,
    settings: configuration,
    log,
    clock: Date.now,
    build,
    metrics: measured?.metrics,
    web,
  })
  current.respond = app.respond
  const stopTidying = keepTidy(database, auth, log)
  const reminding = remindingOf({
    database,
    log,
    clock: Date.now,
    pusher,
    mail: mailer && configuration.mail && { try: mailer.try, baseUrl: configuration.mail.baseUrl },
  })
  reminding.start()

  const stopBackups = backups && keepBackups(backups)

  const endAsFailure = endOnSignal(async () => {
    const until = performance.now() + patience
    const left = () => Math.max(0, until - performance.now())
    const { isWatched } = app.stopping()
    listening.drain()
    const reminded = reminding.close(patience)
    if (isWatched && database.engine === 'postgres') await pause(drain)
    await Promise.all([listening.close(left()), reminded, stopBackups?.()])
    // The last requests may have queued mail, so the mailer closes after them.
    await mailer?.close(left())
    await stopTidying()
    pusher.close()
    await database.close()
  }, deadline)
  database.schema.onNewer(() => {
    say('A newer Daymark has updated the database, so this one ends: start the newer version.')
    endAsFailure('A newer Daymark has updated the database')
  })

  if (!web) say('The web pages are not built (dist/web is missing): only the API is served.')
  if (!configuration.rateLimit) say('RATE_LIMIT is off: requests are not limited.')
  return baseUrl ?? addressToOpen(host, listening.port)
}

function isGoingBack(now: number): boolean {
  const mark = statSync(goBackFile, { throwIfNoEntry: false })
  return mark !== undefined && Math.abs(now - mark.mtimeMs) < goBackWithin
}

function printReady(address: string): void {
  say(`Daymark is ready at ${address}`)
}

/** Makes backups on the configured schedule. Returns a function that stops it, or undefined when no backups are scheduled. */
function keepBackups({ every, to, keep }: BackupSettings): (() => Promise<void>) | undefined {
  if (every === undefined) return undefined
  const make = (signal: AbortSignal) => backUpInChildProcess(process.env, signal)
  return scheduleBackups({ every, to, keep, log, clock: Date.now, make })
}

/** Identifies the built sources of server and web; undefined when there is no build. */
function readBuild(): Promise<string | undefined> {
  const file = join(import.meta.dirname, '../../dist/web-inputs.sha256')
  return readFile(file, 'utf8').then(
    (text) => text.slice(0, 16),
    () => undefined,
  )
}

/**
 * Closes the server when a signal arrives. Returns a function that ends it without a signal, as a failure: a service manager
 * then starts it again, with the version installed by then.
 */
function endOnSignal(close: () => Promise<void>, deadline: number): (why: string) => void {
  let ending: Promise<void> | undefined
  let signalledAt: number | undefined
  const begin = () => {
    setTimeout(() => end(1, 'Stopped before everything was closed'), deadline)
    ending = close().then(
      // If a signal arrived meanwhile, the end was requested and counts as success.
      () => end(signalledAt === undefined ? 1 : 0, 'Stopped'),
      (error) => {
        log.error({ error: loggable(error) }, 'Closing failed')
        end(1, 'Stopped before everything was closed')
      },
    )
  }
  const onSignal = (signal: NodeJS.Signals) => {
    if (signalledAt !== undefined) {
      if (performance.now() - signalledAt > onePress) end(1, 'Stopped at once, told so a second time')
      return
    }
    signalledAt = performance.now()
    log.info({ signal }, 'Stopping')
    if (!ending) begin()
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  return (why) => {
    if (ending) return
    log.error({ why }, 'Stopping')
    begin()
  }
}

function end(code: 0 | 1, how: string): never {
  if (code === 0) log.info(how)
  else log.error(how)
  process.exit(code)
}

async function takePort(current: CurrentHandler, { host, port }: Configuration): Promise<Listening> {
  try {
    return await listen(current, host, port, log)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE')
      throw new PortError(`PORT ${port} on ${host} is in use by another program; set PORT to a free one`)
    if (code === 'EACCES')
      throw new PortError(`PORT ${port} on ${host} may not be used by this user; set PORT to 1024 or more`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new PortError(`HOST ${host} is no address of this machine`)
    throw error
  }
}

function reasonNotToStart(error: unknown): string | undefined {
  if (error instanceof DatabaseSettingError) return error.message
  if (error instanceof DatabaseError) return `${error.message} (DATABASE_URL says where it is)`
  const expected = [PortError, SecretError, BackupError]
  if (error instanceof Error && expected.some((kind) => error instanceof kind)) return error.message
  return undefined
}

function refuseToStart(reason: string): void {
  process.stderr.write(`Daymark cannot start: ${reason.replace(/\s*\n\s*/g, ' ')}\n`)
  process.exitCode = 1
}

function addressToOpen(host: string, port: number): string {
  const everywhere = ['127.0.0.1', 'localhost', '0.0.0.0', '::', '::1']
  const name = everywhere.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

/** The address at which push services can report problems. Some refuse a contact that is not on the internet. */
function pushContact({ mail, baseUrl }: Configuration): string {
  const address = /[^\s<>]+@[^\s<>]+/.exec(mail?.from ?? '')?.[0]
  if (address !== undefined) return `mailto:${address}`
  return baseUrl?.startsWith('https://') ? baseUrl : 'mailto:nobody@daymark.invalid'
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
