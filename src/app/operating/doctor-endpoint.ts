import { timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { keyedHash } from '#features/account/sign-in/server/email-key.ts'
import type { Instant } from '#platform/calendar/day.ts'
import { type Endpoint, publicEndpoint } from '#platform/http/endpoint/endpoint.ts'
import type { HttpContext } from '#platform/http/request/context.ts'
import { notFound } from '#platform/http/request/error-response.ts'

/** How the running server sees a request that comes through its proxies, for the operator's `doctor`. */
export const seenSchema = z.object({
  version: z.string(),
  now: z.number(),
  host: z.string(),
  /** The number of addresses in X-Forwarded-For, and the value of X-Forwarded-Proto. */
  forwarded_for: z.number(),
  forwarded_proto: z.nullable(z.string()),
  trusted_proxies: z.number(),
})
export type Seen = z.infer<typeof seenSchema>

const holds = 60_000

/** A key that only the holder of the secret can make; everyone else gets a 404. It is valid for a minute. */
export function doctorKey(secret: string, now: Instant): string {
  return `Daymark ${now}.${keyedHash(secret, `doctor|${now}`)}`
}

interface DoctorParts {
  secret: () => Promise<string>
  version: string
  proxies: number
  clock: () => Instant
}

export function doctorEndpoint({ secret, version, proxies, clock }: DoctorParts): Endpoint {
  return publicEndpoint({
    method: 'POST',
    path: '/api/doctor',
    summary: 'How the server sees this request; for `npm run admin -- doctor`, which has its secret',
    limit: { name: 'doctor', max: 30, seconds: 60, counted: 'in memory' },
    takes: {},
    responses: { 200: seenSchema },
    errors: [404],
    async handle({ c }) {
      if (!isKey(c.request.header('authorization') ?? '', await secret(), clock())) return notFound
      return { status: 200, body: { version, now: clock(), trusted_proxies: proxies, ...seenOf(c) } }
    },
  })
}

function isKey(given: string, secret: string, now: Instant): boolean {
  const at = Number(/^Daymark (\d{1,15})\./.exec(given)?.[1])
  if (!Number.isSafeInteger(at) || Math.abs(now - at) > holds) return false
  const [own, other] = [doctorKey(secret, at), given].map((text) => Buffer.from(text))
  return own !== undefined && other?.length === own.length && timingSafeEqual(own, other)
}

function seenOf(c: HttpContext) {
  const forwarded = c.request.header('x-forwarded-for') ?? ''
  return {
    host: c.request.header('host') ?? '',
    forwarded_for: forwarded === '' ? 0 : forwarded.split(',').length,
    forwarded_proto: c.request.header('x-forwarded-proto') ?? null,
  }
}
