import { pino } from 'pino'
import { expect } from 'vitest'
import * as z from 'zod/mini'
import { accountMail } from '#features/account/mail/server/account-mail.ts'
import { createAuth } from '#features/account/server/auth.ts'
import type { Database } from '#platform/database/database.ts'
import { type Endpoint, mayBeUnchanged } from '#platform/http/endpoint/endpoint.ts'
import { failureStatuses, responsesOf } from '#platform/http/endpoint/openapi.ts'
import { pathFinder } from '#platform/http/endpoint/path-finder.ts'
import type { WebFiles } from '#platform/http/responses/static-files.ts'
import { openMailer } from '#platform/mail/mailer.ts'
import { readOrCreatePushKeys } from '#platform/push/push-key-store.ts'
import { openPusher, type PushSettings } from '#platform/push/pusher.ts'
import { failureSchema } from '#platform/wire/failure.ts'
import { createApp, type Parts } from '../api.ts'
import { remindingOf } from '../reminding.ts'
import { userTables } from '../row-kinds.ts'
import { quickPasswords } from './quick-passwords.ts'

export const secret = 'a secret of the tests that is long enough'
export const password = 'correct horse battery'

export interface TestResponse {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: whatever the wire says; the tests say what they expect
  body: any
  bytes: Uint8Array
  headers: Headers
}
export interface TestRequest {
  /** Text and bytes are sent unchanged, anything else as JSON. */
  body?: unknown
  cookie?: string
  headers?: Record<string, string>
  /** The client's address, as a socket would report it. */
  from?: string
}
export interface Person {
  id: string
  email: string
  cookie: string
}
export type Application = Awaited<ReturnType<typeof openApplication>>

interface Options {
  settings?: Partial<Parts['settings']>
  bounds?: Parts['bounds']
  clock?: Parts['clock']
  steady?: Parts['steady']
  build?: string
  metrics?: Parts['metrics']
  web?: WebFiles
  /** The SMTP server. Without it, no mail is sent. */
  smtpUrl?: string
  /** The most milliseconds for one attempt to send a mail. */
  mailPatience?: number
  /** Set for a push service in the test's own process, which is not on the internet. */
  pushTo?: PushSettings['to']
  /** Resolves the host names of push services; the machine does when left out. */
  lookUp?: PushSettings['lookUp']
  /** Hashes passwords as the server does, for accounts that were not created by this application. */
  slowPasswords?: true
}

export const mailedPages = 'https://daymark.example'

/** The whole application on a database, called without a socket. Every response is checked against its declaration. */
export function openApplication(
  database: Database,
  {
    settings,
    bounds,
    clock = Date.now,
    steady,
    build = 'build of the tests',
    metrics,
    web,
    smtpUrl,
    mailPatience,
    pushTo = 'internet',
    lookUp,
    slowPasswords,
  }: Options = {},
) {
  const lines: string[] = []
  const log = pino({ base: undefined }, { write: (line: string) => lines.push(line) })
  const chosen = { baseUrl: undefined, signUp: 'open', proxies: 0, rateLimit: false, ...settings } as const
  const mailer =
    smtpUrl === undefined
      ? undefined
      : openMailer({ url: smtpUrl, from: 'Daymark <mail@daymark.example>' }, log, clock, mailPatience)
  const mail = mailer && accountMail(mailer, mailedPages)
  const passwords = slowPasswords ? undefined : quickPasswords
  const auth = createAuth(database, { secret, ...chosen, mail, passwords, userTables }, log)
  const pusher = openPusher(
    { contact: 'mailto:ada@example.org', to: pushTo, log, lookUp },
    () => readOrCreatePushKeys(database),
    // The pusher uses the real time, whatever `clock` says.
    Date.now,
  )
  const parts: Parts = {
    database,
    auth,
    mail,
    pusher,
    settings: chosen,
    bounds,
    log,
    clock,
    steady,
    build,
    metrics,
    web,
  }
  const app = createApp(parts)
  const reminding = remindingOf({
    ...parts,
    mail: mailer && { try: mailer.try, baseUrl: mailedPages },
  })
  const { endpoints } = app
  const declarations = pathFinder(endpoints)

  async function ask(method: string, path: string, asking: TestRequest = {}): Promise<TestResponse> {
    const init = request(method, asking)
    const response = await app.request(path, init, { address: asking.from ?? '192.0.2.1' })
    const bytes = await bytesOf(response)
    const text = new TextDecoder().decode(bytes)
    const type = response.headers.get('content-type') ?? ''
    const json = text !== '' && /^application\/json/.test(type)
    const body = json ? JSON.parse(text) : text
    const { pathname } = new URL(path, 'http://localhost')
    if (/^\/api(\/|$)/.test(pathname)) {
      const { endpoint } = declarations.find(method, pathname) ?? {}
      const shown = json ? body : { mediaType: type }
      checkAgainstDeclaration(endpoint, method, pathname, response.status, shown)
    }
    return { status: response.status, body, bytes, headers: response.headers }
  }

  /**
   * Signs up a person. With mail, signing up would need the link from a mail, so this creates an account from before mail was
   * set up.
   */
  async function signUp(name: string): Promise<Person> {
    if (smtpUrl !== undefined) return openApplication(database, { settings, clock }).signUp(name)
    const email = `${name.toLowerCase()}@example.org`
    const asked = await ask('POST', '/api/auth/sign-up/email', { body: { name, email, password } })
    expect(asked).toMatchObject({ status: 200 })
    return { id: asked.body.user.id, email, cookie: cookieOf(asked) }
  }

  return { app, build, auth, mailer, pusher, reminding, endpoints, lines, ask, signUp }
}

/** The whole body, or the first chunk of an endless stream. */
async function bytesOf(response: Response): Promise<Uint8Array> {
  if (response.headers.get('content-type') !== 'text/event-stream' || !response.body) {
    return new Uint8Array(await response.arrayBuffer())
  }
  const reader = response.body.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return value ?? new Uint8Array()
}

/** The cookie of the sign-in session. */
export function cookieOf(asked: TestResponse): string {
  return cookiesOf(asked)
    .filter((cookie) => cookie.includes('session_token='))
    .join('; ')
}

/** Every cookie that a response sets. */
export function cookiesOf(asked: TestResponse): string[] {
  return asked.headers.getSetCookie().map((cookie) => cookie.replace(/;.*/, ''))
}

interface Sent {
  method: string
  headers: Headers
  body?: string | Buffer<ArrayBuffer>
}

function request(method: string, { body, cookie, headers }: TestRequest): Sent {
  const sent = new Headers({ host: 'localhost', ...headers })
  if (cookie !== undefined) sent.set('cookie', cookie)
  if (body === undefined) return { method, headers: sent }
  if (!sent.has('content-type')) sent.set('content-type', 'application/json')
  if (body instanceof Uint8Array) return { method, headers: sent, body: Buffer.from(body) }
  return { method, headers: sent, body: typeof body === 'string' ? body : JSON.stringify(body) }
}

const strictFailure = z.strictObject(failureSchema.shape)

/** Throws when a response does not match the API document. For a response that is not JSON, `body` is its media type. */
function checkAgainstDeclaration(
  endpoint: Endpoint | undefined,
  method: string,
  path: string,
  status: number,
  body: unknown,
): void {
  if (status >= 400) {
    if (method !== 'HEAD') strictFailure.parse(body)
    if (!endpoint || failureStatuses(endpoint).includes(status)) return
    throw new Error(`${method} ${path} failed with ${status}, which is not declared`)
  }
  if (method === 'HEAD' || method === 'OPTIONS') return
  if (status === 304 && endpoint && mayBeUnchanged(endpoint)) return
  const declared = endpoint && responsesOf(endpoint)[status === 201 ? 201 : 200]
  if (!declared) throw new Error(`${method} ${path} answered ${status}, which is declared nowhere`)
  // Anything that the schema strips was not declared.
  expect('mediaType' in declared ? declared : declared.parse(body)).toEqual(body)
}
