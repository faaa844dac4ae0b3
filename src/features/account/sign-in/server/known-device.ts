import { randomBytes } from 'node:crypto'
import type { Auth } from '#features/account/session/server/better-auth.ts'
import { cookieOf } from '#features/account/session/server/cookie-of.ts'
import type { HttpContext } from '#platform/http/request/context.ts'
import { keyedHash } from './email-key.ts'
import { type Password, passwordOf } from './password.ts'

const year = 365 * 24 * 60 * 60
// Enough for a family at one computer. The cookie is sent with every request, so it must not grow.
const maxAccounts = 5

/** A browser: a random id, and a mark for each account whose owner has signed in here. */
export interface Device {
  id: string
  marks: readonly string[]
}

/**
 * Reads which browser this is, and which accounts know it. The browser's cookie carries a mark for each account. Only this server
 * can create the mark, and only for the current password: a new password invalidates all earlier marks. A mark alone gives no
 * access. It distinguishes the owner from people who guess passwords elsewhere (docs/decisions/0033), and lets a sign-up link
 * finish at once only in the browser where the sign-up began.
 */
export function readDevice(c: HttpContext, { name }: DeviceCookie): Device | undefined {
  const parts = (cookieOf(c.request.header('cookie') ?? '', name) ?? '').split('.')
  if (parts.length > maxAccounts + 1 || !parts.every(isHash)) return undefined
  const [id = '', ...marks] = parts
  return { id, marks }
}

export function isKnownDevice(device: Device, { secret }: DeviceCookie, password: Password): boolean {
  return device.marks.includes(markOf(device.id, secret, password))
}

/** Gives this browser its device cookie, or renews it. `password` is the stored password of the account to remember, if any. */
export function rememberDevice(c: HttpContext, cookie: DeviceCookie, password?: Password): Device {
  const { id, marks } = readDevice(c, cookie) ?? { id: randomBytes(16).toString('base64url'), marks: [] }
  const mark = password && markOf(id, cookie.secret, password)
  const newestFirst = mark === undefined ? marks : [mark, ...marks.filter((each) => each !== mark)]
  const device = { id, marks: newestFirst.slice(0, maxAccounts) }
  const value = [device.id, ...device.marks].join('.')
  const attributes = `Max-Age=${year}; Path=/; HttpOnly; ${cookie.secure ? 'Secure; ' : ''}SameSite=Lax`
  c.addCookie(`${cookie.name}=${value}; ${attributes}`)
  return device
}

/**
 * Marks in the device cookie that the owner of the account with this email has signed in here. The mark is made from the
 * account's current password.
 */
export async function rememberAccount(auth: Auth, c: HttpContext, email: string): Promise<void> {
  rememberDevice(c, await deviceCookie(auth), await passwordOf(auth, email))
}

interface DeviceCookie {
  name: string
  secure: boolean
  secret: string
}

/** The device cookie's name and attributes, which follow those of the session cookie. */
export async function deviceCookie(auth: Auth): Promise<DeviceCookie> {
  const { authCookies, secret } = await auth.$context
  const { name, attributes } = authCookies.sessionToken
  return { name: name.replace('session_token', 'device'), secure: attributes.secure ?? false, secret }
}

function markOf(id: string, secret: string, { user, hash }: Password): string {
  return keyedHash(secret, `device|${id}|${user}|${hash}`)
}

function isHash(text: string): boolean {
  return /^[\w-]{22}$/.test(text)
}
