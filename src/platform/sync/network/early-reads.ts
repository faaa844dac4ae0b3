import type { Instant } from '#platform/calendar/day.ts'

declare global {
  /** Requests that public/session.js starts for the first screen, on a device that has no stored account. */
  var earlyReads: { account: string; responses: Record<string, EarlyRead> } | undefined
}

interface EarlyRead {
  response: Promise<Response>
  askedAt: Instant
}

/** Milliseconds. A response that the page has not used within this time is requested again. */
const longest = 30_000

/** Whether the page requested this path as this account before its scripts ran, and the response is still unused. */
export function isReadEarly(path: string, account: string): boolean {
  const { earlyReads } = globalThis
  const read = earlyReads?.account === account ? earlyReads.responses[path] : undefined
  return read !== undefined && Math.abs(Date.now() - read.askedAt) < longest
}

/** Drops responses that were requested with a cookie that is no longer valid. */
export function forgetEarlyReads(): void {
  globalThis.earlyReads = undefined
}

/** Returns an early response, once only: later reads must not get data from the start of the page. */
export function takeEarlyRead(path: string, account: string): EarlyRead | undefined {
  if (!isReadEarly(path, account)) return undefined
  const read = globalThis.earlyReads?.responses[path]
  delete globalThis.earlyReads?.responses[path]
  return read
}
