import type { Instant } from '#platform/calendar/day.ts'
import type { Request } from './answer.ts'

interface EarlyList {
  account: string
  path: string
  /** By this device's clock. */
  askedAt: Instant
  answer: Promise<Response>
}

declare global {
  /**
   * Begun by public/session.js in the pages of screens that show a list. Null once the app has asked for it or changed
   * anything, and where it has asked for anything before one was begun: it must not be shown to somebody who has changed
   * something since.
   */
  var earlyList: EarlyList | null | undefined
}

/** Milliseconds after which it is asked for anew, as by a browser that was frozen while the app was on its way. */
const freshFor = 60_000

/** What was asked for before the app was there, if it is what `request` of `account` asks for; undefined where it failed. */
export async function takeEarlyList(
  { method, path }: Request,
  account: string,
): Promise<{ response: Response; askedAt: Instant } | undefined> {
  const early = globalThis.earlyList
  if (early && method === 'GET' && path !== early.path) return undefined
  globalThis.earlyList = null
  if (early?.account !== account || method !== 'GET') return undefined
  if (Math.abs(Date.now() - early.askedAt) > freshFor) return undefined
  const response = await early.answer.catch(() => undefined)
  return response?.ok ? { response, askedAt: early.askedAt } : undefined
}
