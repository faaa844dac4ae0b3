import { isIP } from 'node:net'
import { dirname, join, resolve } from 'node:path'

/** What the environment may change (docs name every variable). Everything has a default that works. */
export interface Configuration {
  host: string
  /** 0: any free one. */
  port: number
  databaseUrl: string
  /** The public origin, such as `https://daymark.example`; undefined: whatever host a request names. */
  baseUrl: string | undefined
  /** Given by the operator, or the file beside the data that keeps the one made at the first start. */
  secret: { value: string } | { file: string }
  signUp: 'open' | 'closed'
  /** `baseUrl`: where its links lead. */
  mail: { url: string; from: string; baseUrl: string } | undefined
  /** Whether reminders are pushed to push services on the internet alone, or also into one's own network. */
  pushTo: 'internet' | 'anywhere'
  /** How many trusted proxies stand in front; 0: the address of the socket is the client's. */
  proxies: number
  rateLimit: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

// Says which variable is wrong, and why, in one line.
class WrongValue extends Error {}

/** The configuration, or the one line that says which variable is wrong and why. */
export function readConfiguration(
  environment: Environment,
): { configuration: Configuration } | { wrong: string } {
  try {
    return { configuration: configurationOf(environment) }
  } catch (error) {
    if (error instanceof WrongValue) return { wrong: error.message }
    throw error
  }
}

function configurationOf(environment: Environment): Configuration {
  // `PORT=` in a compose file or an .env file means: as if it were not there.
  const read = (name: string) => environment[name]?.trim() || undefined
  const databaseUrl = databaseUrlOf(read('DATABASE_URL') ?? 'sqlite:data/daymark.db')
  const baseUrl = baseUrlOf(read('BASE_URL'))
  return {
    host: hostOf(read('HOST') ?? '127.0.0.1'),
    port: portOf(read('PORT') ?? '3000'),
    databaseUrl,
    baseUrl,
    secret: secretOf(read('AUTH_SECRET'), databaseUrl),
    signUp: wordOf('SIGN_UP', read('SIGN_UP') ?? 'open', ['open', 'closed']),
    mail: mailOf(read('SMTP_URL'), read('MAIL_FROM'), baseUrl),
    pushTo: wordOf('PUSH_TO', read('PUSH_TO') ?? 'internet', ['internet', 'anywhere']),
    proxies: proxiesOf(read('TRUST_PROXY') ?? 'off'),
    rateLimit: wordOf('RATE_LIMIT', read('RATE_LIMIT') ?? 'on', ['on', 'off']) === 'on',
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

// The value may hold a password, so it is never repeated.
function databaseUrlOf(text: string): string {
  if (sqlitePath(text) !== undefined) return text
  if (/^postgres(ql)?:\/\//.test(text)) {
    if (URL.canParse(text)) return text
    throw new WrongValue(
      'DATABASE_URL is not a valid address: expected postgres://user:password@host/database',
    )
  }
  throw new WrongValue(
    'DATABASE_URL must be sqlite:path/of/a/file.db or postgres://user:password@host/database',
  )
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
    if (path !== undefined) return { file: join(dirname(resolve(path)), 'auth-secret') }
    throw new WrongValue('AUTH_SECRET is required with PostgreSQL: every process has to have the same one')
  }
  if (text.length >= 32) return { value: text }
  throw new WrongValue(`AUTH_SECRET must have at least 32 characters, not ${text.length}`)
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
