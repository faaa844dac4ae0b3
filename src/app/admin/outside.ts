import { statfsSync, statSync } from 'node:fs'
import type { Instant } from '#platform/calendar/day.ts'
import { type SmtpFailure, trySmtp } from '#platform/mail/mailer.ts'
import { type Seen, seenSchema } from '../operating/doctor-endpoint.ts'

/** The outside world as the doctor checks it; tests replace it. */
export interface Outside {
  now(): Instant
  /** The user that this process runs as; undefined on systems without user ids. */
  user: number | undefined
  freeBytes(folder: string): number | undefined
  bytesOf(file: string): number
  modeOf(file: string): number | undefined
  /** Whether a host on the internet responds over https, and what time it reports. */
  reach(host: string): Promise<{ at: Instant; serverTime: Instant | undefined } | { reason: string }>
  trySmtp(url: string): Promise<SmtpFailure | undefined>
  /** How the server sees a request, or the status if something else responded, or why nothing did. */
  askServer(address: string, key: string): Promise<Seen | { status: number } | { reason: string }>
}

const timeout = 8_000

export const outside: Outside = {
  now: Date.now,
  user: process.getuid?.(),
  freeBytes(folder) {
    try {
      const { bavail, bsize } = statfsSync(folder)
      return bavail * bsize
    } catch {
      // If the folder is missing, the check of the database reports it.
      return undefined
    }
  },
  bytesOf: (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0,
  modeOf(file) {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode
    return mode === undefined ? undefined : mode & 0o777
  },
  async reach(host) {
    try {
      const signal = AbortSignal.timeout(timeout)
      const response = await fetch(`https://${host}/`, { method: 'HEAD', redirect: 'manual', signal })
      const date = Date.parse(response.headers.get('date') ?? '')
      return { at: Date.now(), serverTime: Number.isNaN(date) ? undefined : date }
    } catch (error) {
      return { reason: codeOf(error) }
    }
  },
  trySmtp,
  async askServer(address, key) {
    try {
      const response = await fetch(new URL('/api/doctor', address), {
        method: 'POST',
        headers: { authorization: key, 'content-type': 'application/json' },
        body: '{}',
        redirect: 'manual',
        signal: AbortSignal.timeout(timeout),
      })
      if (response.status !== 200) return { status: response.status }
      return seenSchema.safeParse(await response.json()).data ?? { status: 200 }
    } catch (error) {
      return { reason: codeOf(error) }
    }
  },
}

/** The error code, such as ENOTFOUND, which `fetch` hides in the cause. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code
  return cause instanceof Error ? cause.message : String(cause)
}
