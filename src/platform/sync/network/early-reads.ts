import type { Instant } from '#platform/calendar/day.ts'

declare global {
  /** Started by public/session.js on a device that remembers nobody, for what the screen shows first. */
  var earlyReads: { account: string; responses: Record<string, EarlyRead> } | undefined
}

interface EarlyRead {
  response: Promise<Response>
  askedAt: Instant
}

/** In milliseconds: what a page has not needed by then is asked for anew. */
const longest = 30_000

/** Whether the page asked for it as this account before its scripts were there, and nobody has taken the response. */
export function isReadEarly(path: string, account: string): boolean {
  const { earlyReads } = globalThis
  const read = earlyReads?.account === account ? earlyReads.responses[path] : undefined
  return read !== undefined && Math.abs(Date.now() - read.askedAt) < longest
}

/** What was asked with a cookie that counts no more. */
export function forgetEarlyReads(): void {
  globalThis.earlyReads = undefined
}

/** Each is taken once: later reads must not be answered with what was true at the start. */
export function takeEarlyRead(path: string, account: string): EarlyRead | undefined {
  if (!isReadEarly(path, account)) return undefined
  const read = globalThis.earlyReads?.responses[path]
  delete globalThis.earlyReads?.responses[path]
  return read
}
