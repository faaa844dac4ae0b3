import { statfsSync, statSync } from 'node:fs'
import type { Instant } from '#platform/calendar/day.ts'
import { type SmtpFailure, trySmtp } from '#platform/mail/mailer.ts'
import { type Seen, seenSchema } from '../doctor-endpoint.ts'

/** The world that the doctor looks at. */
export interface Outside {
  now(): Instant
  /** Of the user that this runs as; undefined where there are none. */
  user: number | undefined
  freeBytes(folder: string): number | undefined
  bytesOf(file: string): number
  modeOf(file: string): number | undefined
  /** Whether a host of the internet answers over https, and what time it says it is. */
  reach(host: string): Promise<{ at: Instant; serverTime: Instant | undefined } | { reason: string }>
  trySmtp(url: string): Promise<SmtpFailure | undefined>
  /** How the server sees a request; or the status of what answered in its place; or why nothing did. */
  askServer(address: string, key: string): Promise<Seen | { status: number } | { reason: string }>
}

const patience = 8_000

export const outside: Outside = {
  now: Date.now,
  user: process.getuid?.(),
  freeBytes(folder) {
    try {
      const { bavail, bsize } = statfsSync(folder)
      return bavail * bsize
    } catch {
      // Of a folder that is not there, the database says so.
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
      const signal = AbortSignal.timeout(patience)
      const answer = await fetch(`https://${host}/`, { method: 'HEAD', redirect: 'manual', signal })
      const date = Date.parse(answer.headers.get('date') ?? '')
      return { at: Date.now(), serverTime: Number.isNaN(date) ? undefined : date }
    } catch (error) {
      return { reason: codeOf(error) }
    }
  },
  trySmtp,
  async askServer(address, key) {
    try {
      const answer = await fetch(new URL('/api/doctor', address), {
        method: 'POST',
        headers: { authorization: key, 'content-type': 'application/json' },
        body: '{}',
        redirect: 'manual',
        signal: AbortSignal.timeout(patience),
      })
      if (answer.status !== 200) return { status: answer.status }
      return seenSchema.safeParse(await answer.json()).data ?? { status: 200 }
    } catch (error) {
      return { reason: codeOf(error) }
    }
  },
}

/** Such as ENOTFOUND, which `fetch` hides in the cause. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code
  return cause instanceof Error ? cause.message : String(cause)
}
