import { randomBytes } from 'node:crypto'
import { getCookie, setCookie } from 'hono/cookie'
import type { HttpContext } from '#platform/http/context.ts'
import type { Auth } from './auth.ts'
import { keyedHash } from './email-key.ts'
import { type Password, passwordOf } from './password.ts'

const year = 365 * 24 * 60 * 60
// A family at one computer. The cookie goes along with every request, so it must not grow.
const mostAccounts = 5

/** A browser: a random number, and a mark for each account whose owner it has proved to be at it. */
export interface Device {
  id: string
  marks: readonly string[]
}

/**
 * The browsers that know an account: each carries a cookie whose mark for the account only this server can make, and only for
 * the password that it has now: a new one ends all marks from before. It opens nothing. It tells the owner from those who try
 * passwords elsewhere (docs/decisions/0033), and lets the link of a sign-up finish at once only where that was begun.
 */
export function deviceOf(c: HttpContext, { name }: DeviceCookie): Device | undefined {
  const parts = (getCookie(c, name) ?? '').split('.')
  if (parts.length > mostAccounts + 1 || !parts.every(isHash)) return undefined
  const [id = '', ...marks] = parts
  return { id, marks }
}

export function knows(device: Device, { secret }: DeviceCookie, password: Password): boolean {
  return device.marks.includes(markOf(device.id, secret, password))
}

/** Gives this browser its cookie, or renews the one that it has. `password`: of the account that it knows from now on. */
export function rememberDevice(c: HttpContext, cookie: DeviceCookie, password?: Password): Device {
  const { id, marks } = deviceOf(c, cookie) ?? { id: randomBytes(16).toString('base64url'), marks: [] }
  const mark = password && markOf(id, cookie.secret, password)
  const kept = mark === undefined ? marks : [mark, ...marks.filter((each) => each !== mark)]
  const device = { id, marks: kept.slice(0, mostAccounts) }
  const { secure } = cookie
  const attributes = { path: '/', httpOnly: true, sameSite: 'Lax', secure, maxAge: year } as const
  setCookie(c, cookie.name, [device.id, ...device.marks].join('.'), attributes)
  return device
}

/** From now on this browser knows the account with this email, by the password that it has now. */
export async function rememberAccount(auth: Auth, c: HttpContext, email: string): Promise<void> {
  rememberDevice(c, await deviceCookie(auth), await passwordOf(auth, email))
}

interface DeviceCookie {
  name: string
  secure: boolean
  secret: string
}

/** Named as the cookie of the sign-in session is, whatever comes before its name. */
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
