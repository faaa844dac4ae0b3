import { join } from 'node:path'
import { pino } from 'pino'
import { createAuth } from '#features/account/server/auth.ts'
import { openDatabase } from '#platform/database/database.ts'
import { DatabaseRefusal } from '#platform/database/database-refusal.ts'
import { type Listening, listen } from '#platform/http/listen.ts'
import { readWebFiles } from '#platform/http/static-files.ts'
import { createApp } from './api.ts'
import { keptSecret, SecretRefusal } from './auth-secret.ts'
import { type Configuration, readConfiguration } from './configuration.ts'
import { keepTidy } from './housekeeping.ts'

// Requests that are under way when the program is told to end get this long, in milliseconds.
const patience = 10_000

const log = pino({ base: undefined, timestamp: pino.stdTimeFunctions.isoTime })

await start()

async function start(): Promise<void> {
  const reading = readConfiguration(process.env)
  if ('wrong' in reading) return refuseToStart(reading.wrong)
  const { configuration } = reading
  try {
    await serve(configuration)
  } catch (error) {
    const reason = reasonNotToStart(error, configuration)
    if (reason === undefined) throw error
    refuseToStart(reason)
  }
}

async function serve(configuration: Configuration): Promise<void> {
  const { host, port, databaseUrl, secret: given, baseUrl, signUp } = configuration
  const secret = 'value' in given ? given.value : await keptSecret(given.file)
  const database = await openDatabase(databaseUrl)
  const auth = createAuth(database, { secret, baseUrl, signUp }, log)
  const web = await readWebFiles(join(import.meta.dirname, '../../dist/web'))
  const app = createApp({ database, auth, settings: configuration, log, clock: Date.now, web })

  let listening: Listening
  try {
    listening = await listen(app, host, port, log)
  } catch (error) {
    await database.close()
    throw error
  }
  const stopTidying = keepTidy(database, auth, log)

  if (!web) say('The web pages are not built (dist/web is missing): only the API is served.')
  if (!configuration.rateLimit) say('RATE_LIMIT is off: requests are not limited.')
  if (configuration.mail) say('SMTP_URL is set, but this version sends no mail yet.')
  say(`Daymark is ready at ${baseUrl ?? addressToOpen(host, listening.port)}`)

  const stop = once(async () => {
    await listening.close(patience)
    await stopTidying()
    await database.close()
    process.exit(0)
  })
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

function reasonNotToStart(error: unknown, { host, port }: Configuration): string | undefined {
  if (error instanceof DatabaseRefusal || error instanceof SecretRefusal) return error.message
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return `PORT ${port} on ${host} is in use by another program; set PORT to a free one`
  if (code === 'EACCES')
    return `PORT ${port} on ${host} may not be used by this user; set PORT to 1024 or more`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST ${host} is no address of this machine`
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

// For the person at the terminal; what a machine reads is the log.
function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function once(work: () => Promise<void>): () => void {
  let begun = false
  return () => {
    if (begun) return
    begun = true
    void work()
  }
}
