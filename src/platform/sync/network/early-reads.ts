import type { Instant } from '#platform/calendar/day.ts'

declare global {
  /** Started by public/session.js on a device that remembers nobody, for what the screen shows first. */
  var earlyReads: { account: string; responses: Record<string, EarlyRead> } | undefined
}

interface EarlyRead {
  response: Promise<Response>
  askedAt: Instant
}

/** Whether the page asked for it as this account before its scripts were there, and nobody has taken the response. */
export function isReadEarly(path: string, account: string): boolean {
  return globalThis.earlyReads?.account === account && path in globalThis.earlyReads.responses
}

/** Each is taken once: later reads must not be answered with what was true at the start. */
export function takeEarlyRead(path: string, account: string): EarlyRead | undefined {
  if (!isReadEarly(path, account)) return undefined
  const read = globalThis.earlyReads?.responses[path]
  delete globalThis.earlyReads?.responses[path]
  return read
}
