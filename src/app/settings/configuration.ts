import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import type { PushSettings } from '#platform/push/pusher.ts'
import { problemOfSecret } from './auth-secret.ts'
import { type BackupSettings, type DatabasePlace, readEvery, readKeep } from './backup-settings.ts'
import { doubtsAbout } from './misspelt-settings.ts'

/** The names of all settings. */
export const settings = [
  ...['PORT', 'HOST', 'DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_POOL_SIZE', 'BASE_URL', 'AUTH_SECRET'],
  ...['SIGN_UP', 'TRUST_PROXY', 'RATE_LIMIT', 'PUSH', 'PUSH_TO', 'SMTP_URL', 'MAIL_FROM', 'LOG_LEVEL'],
  ...['BACKUP_EVERY', 'BACKUP_TO', 'BACKUP_KEEP', 'METRICS_TOKEN'],
] as const
type Setting = (typeof settings)[number]

const usualDatabase = 'sqlite:data/daymark.db'

/** The settings that the environment may change (the docs name every variable). Every setting has a default that works. */
export interface Configuration {
  host: string
  /** 0 stands for any free port. */
  port: number
  databaseUrl: string
  /** The URL of the same database without the connection pooler, if there is one in between. */
  directUrl: string | undefined
  /** The most PostgreSQL connections that this process opens, besides the connection that receives notifications. */
  poolSize: number
  /** The public origin, such as `https://daymark.example`. Undefined means the host that each request names. */
  baseUrl: string | undefined
  /** Set by the operator, or stored in a file beside the data at the first start. */
  secret: { value: string } | { file: string }
  signUp: 'open' | 'closed'
  /** Mail settings; links in mail lead to `baseUrl`. */
  mail: { url: string; from: string; baseUrl: string } | undefined
  /** Whether reminders are pushed only to services on the internet, also into the local network, or not at all. */
  pushTo: PushSettings['to']
  /** The number of trusted proxies in front. With 0, the socket's address is the client's. */
  proxies: number
  rateLimit: boolean
  logLevel: 'error' | 'warn' | 'info'
  /** Where the data is, for backups. */
  place: DatabasePlace
  /** Undefined when no place for backups is known. */
  backups: BackupSettings | undefined
  /** Gives access to the metrics. Undefined means that nobody has access. */
  metricsToken: string | undefined
}

export type Environment = Readonly<Record<string, string | undefined>>

// The message says in one line which variable is wrong, and why.
class WrongValue extends Error {}

/**
 * Returns the configuration, with a line for each variable that looks like a misspelt setting; or one line that says which
 * variable is wrong, and why.
 */
export function readConfiguration(
  environment: Environment,
): { configuration: Configuration; doubts: string[] } | { wrong: string } {
  try {
    return { configuration: configurationOf(environment), doubts: doubtsAbout(environment, settings) }
  } catch (error) {
    if (error instanceof WrongValue) return { wrong: error.message }
    throw error
  }
}

/** Returns the settings for backup and restore, which work even when other settings are missing. */
export function readBackupConfiguration(
  environment: Environment,
): { database: DatabasePlace; backups: BackupSettings | undefined } | { wrong: string } {
  try {
    const read = readerOf(environment)
    return { database: databasePlaceOf(read), backups: backupsOf(read) }
  } catch (error) {
    if (error instanceof WrongValue) return { wrong: error.message }
    throw error
  }
}

type Read = (name: Setting) => string | undefined

/** Makes a reader of settings. An empty `PORT=` in a compose or .env file counts as not set. */
function readerOf(environment: Environment): Read {
  return (name) => environment[name]?.trim() || valueInFile(name, environment)
}

function configurationOf(environment: Environment): Configuration {
  const read = readerOf(environment)
  const databaseUrl = databaseUrlOf(read('DATABASE_URL') ?? usualDatabase)
  const directUrl = read('DATABASE_DIRECT_URL')
  const baseUrl = baseUrlOf(read('BASE_URL'))
  return {
    host: hostOf(read('HOST') ?? '127.0.0.1'),
    port: portOf(read('PORT') ?? '3000'),
    databaseUrl,
    directUrl: directUrl === undefined ? undefined : directUrlOf(directUrl),
    poolSize: poolSizeOf(read('DATABASE_POOL_SIZE') ?? '10'),
    baseUrl,
    secret: secretOf(read('AUTH_SECRET'), databaseUrl),
    signUp: wordOf('SIGN_UP', read('SIGN_UP') ?? 'open', ['open', 'closed']),
    mail: mailOf(read('SMTP_URL'), read('MAIL_FROM'), baseUrl),
    pushTo: pushToOf(read('PUSH') ?? 'on', read('PUSH_TO') ?? 'internet'),
    proxies: proxiesOf(read('TRUST_PROXY') ?? 'off'),
    rateLimit: wordOf('RATE_LIMIT', read('RATE_LIMIT') ?? 'on', ['on', 'off']) === 'on',
    logLevel: wordOf('LOG_LEVEL', read('LOG_LEVEL') ?? 'info', ['error', 'warn', 'info']),
    place: databasePlaceOf(read),
    backups: backupsOf(read),
    metricsToken: metricsTokenOf(read('METRICS_TOKEN')),
  }
}

function databasePlaceOf(read: Read): DatabasePlace {
  const url = databaseUrlOf(read('DATABASE_URL') ?? usualDatabase)
  const path = sqlitePath(url)
  if (path !== undefined) {
    const secretFile = read('AUTH_SECRET') === undefined ? secretBeside(path) : undefined
    return { engine: 'sqlite', path, secretFile }
  }
  const direct = read('DATABASE_DIRECT_URL')
  return {
    engine: 'postgres',
    directUrl: direct === undefined ? url : directUrlOf(direct),
    secretFile: undefined,
  }
}

/** Undefined when no folder is set and there is no database file to put backups beside. */
function backupsOf(read: Read): BackupSettings | undefined {
  const every = read('BACKUP_EVERY') ?? 'off'
  const schedule = readEvery(every)
  if (!schedule)
    throw new WrongValue(
      `BACKUP_EVERY must be off or a number of hours or days such as 6h or 1d, not "${every}"`,
    )
  const kept = read('BACKUP_KEEP') ?? '7 daily, 4 weekly'
  const keep = readKeep(kept)
  if (!keep) throw new WrongValue(`BACKUP_KEEP must be such as "7 daily, 4 weekly", not "${kept}"`)
  const path = sqlitePath(read('DATABASE_URL') ?? usualDatabase)
  const to = read('BACKUP_TO') ?? (path === undefined ? undefined : join(dirname(path), 'backups'))
  if (to !== undefined) return { ...schedule, to, keep }
  if (schedule.every === undefined) return undefined
  throw new WrongValue('BACKUP_TO is required with PostgreSQL: it names the folder that backups go to')
}

function metricsTokenOf(token: string | undefined): string | undefined {
  const problem = token === undefined ? undefined : problemOfSecret(token)
  if (problem === undefined) return token
  throw new WrongValue(`METRICS_TOKEN ${problem}`)
}

/** The value from `NAME_FILE`, which keeps a secret out of the environment. */
function valueInFile(name: string, environment: Environment): string | undefined {
  const file = environment[`${name}_FILE`]?.trim()
  if (!file) return undefined
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch {
    throw new WrongValue(`${name}_FILE names a file that cannot be read: ${file}`)
  }
}

function hostOf(text: string): string {
  if (isIP(text) || /^(?!\d+(\.\d+)*$)[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text)) return text
  throw new WrongValue(
    `HOST must be an address or a name to listen on, such as 127.0.0.1 or ::, not "${text}"`,
  )
}

function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new WrongValue(`PORT must be a whole number from 0 to 65535, not "${text}"`)
}

// Checks DATABASE_URL. The value may contain a password, so no message repeats it.
function databaseUrlOf(text: string): string {
  const path = sqlitePath(text)
  if (path !== undefined) {
    if (!/[/\\]$/.test(path)) return text
    throw new WrongValue('DATABASE_URL names a folder; name a file in it, such as sqlite:data/daymark.db')
  }
  if (isPostgres(text)) return postgresUrlOf('DATABASE_URL', text)
  throw new WrongValue(`DATABASE_URL must be sqlite:path/of/a/file.db or ${postgresShape}`)
}

function directUrlOf(text: string): string {
  if (isPostgres(text)) return postgresUrlOf('DATABASE_DIRECT_URL', text)
  throw new WrongValue(`DATABASE_DIRECT_URL must be ${postgresShape}`)
}

const postgresShape = 'postgres://user:password@host/database'

function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url)
}

function postgresUrlOf(name: Setting, text: string): string {
  // Search the text itself, because the parser reads `postgres://u:1234#x@host/db` with the host `u`.
  if (text.includes('#')) throw new WrongValue(`${name} has a # in it; inside a password write it as %23`)
  if (URL.canParse(text)) return text
  // The host begins after the last @. An unencoded / or ? before the @ ends the host too early.
  if (/:\/\/.*[/?].*@/.test(text)) {
    throw new WrongValue(
      `${name} is not a valid address: inside a password write / as %2F, ? as %3F and @ as %40`,
    )
  }
  throw new WrongValue(`${name} is not a valid address: expected ${postgresShape}`)
}

function poolSizeOf(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= 500) return Number(text)
  throw new WrongValue(`DATABASE_POOL_SIZE must be a whole number from 1 to 500, not "${text}"`)
}

function sqlitePath(url: string): string | undefined {
  return /^sqlite:(?:\/\/)?([^:].*)$/.exec(url)?.[1]
}

function baseUrlOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (!URL.canParse(text) || !/^https?:\/\//i.test(text)) {
    throw new WrongValue(`BASE_URL must be an address such as https://daymark.example, not "${text}"`)
  }
  const url = new URL(text)
  if (url.username || url.password) throw new WrongValue('BASE_URL must not hold a user or a password')
  if (url.pathname !== '/' || url.search || url.hash) {
    throw new WrongValue(`BASE_URL must end after the host and port, as ${url.origin}, not "${text}"`)
  }
  return url.origin
}

function secretOf(text: string | undefined, databaseUrl: string): Configuration['secret'] {
  const path = sqlitePath(databaseUrl)
  if (text === undefined) {
    if (path !== undefined) return { file: secretBeside(path) }
    throw new WrongValue('AUTH_SECRET is required with PostgreSQL: every process has to have the same one')
  }
  const problem = problemOfSecret(text)
  if (problem === undefined) return { value: text }
  throw new WrongValue(`AUTH_SECRET ${problem}`)
}

function secretBeside(path: string): string {
  return join(dirname(resolve(path)), 'auth-secret')
}

function mailOf(
  url: string | undefined,
  from: string | undefined,
  baseUrl: string | undefined,
): Configuration['mail'] {
  if (from !== undefined && !/^([^<>\r\n]+<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(from)) {
    throw new WrongValue('MAIL_FROM must be an address such as Daymark <daymark@example.com>')
  }
  if (url === undefined) return undefined
  if (!/^smtps?:\/\//.test(url) || !URL.canParse(url) || new URL(url).hostname === '') {
    throw new WrongValue('SMTP_URL must be an address such as smtp://user:password@host:587')
  }
  if (baseUrl === undefined) {
    throw new WrongValue('BASE_URL is required with SMTP_URL: links in mail are never built from a request')
  }
  return { url, from: from ?? `Daymark <daymark@${new URL(baseUrl).hostname}>`, baseUrl }
}

function pushToOf(push: string, to: string): Configuration['pushTo'] {
  const where = wordOf('PUSH_TO', to, ['internet', 'anywhere'])
  return wordOf('PUSH', push, ['on', 'off']) === 'off' ? 'nowhere' : where
}

function proxiesOf(text: string): number {
  if (text === 'off') return 0
  if (text === 'on') return 1
  if (/^[1-9]$/.test(text)) return Number(text)
  throw new WrongValue(
    `TRUST_PROXY must be off, on or the number of proxies in front (1 to 9), not "${text}"`,
  )
}

function wordOf<const Word extends string>(name: string, text: string, words: readonly Word[]): Word {
  const word = words.find((each) => each === text)
  if (word !== undefined) return word
  throw new WrongValue(`${name} must be ${words.join(' or ')}, not "${text}"`)
}
