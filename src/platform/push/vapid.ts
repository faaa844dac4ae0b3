import { createECDH, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type { Instant } from '#platform/calendar/day.ts'

/** The key pair by which push services know this Daymark (RFC 8292), in base64url: a point on P-256 and its secret. */
export interface PushKeys {
  publicKey: string
  privateKey: string
}

// Milliseconds for which a header is valid: half of what is allowed, because a service's clock may differ.
const lifetime = 12 * 60 * 60 * 1000

export function makePushKeys(): PushKeys {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys('base64url', 'uncompressed')
  // The curve's numbers are 32 bytes long, but Node leaves out leading zeros.
  const secret = pair.getPrivateKey()
  const privateKey = Buffer.concat([Buffer.alloc(32 - secret.length), secret]).toString('base64url')
  return { publicKey, privateKey }
}

/**
 * Makes the header that identifies the sender of each push to an origin. `contact` is where the operator can be reached
 * about problems.
 */
export function createVapid(keys: PushKeys, contact: string): (origin: string, now: Instant) => string {
  const signingKey = keyObjectOf(keys)
  const tokens = new Map<string, { header: string; until: Instant }>()
  return (origin, now) => {
    const cached = tokens.get(origin)
    // A service refuses a header that is valid for too long, such as one made before the clock was set back.
    if (cached && cached.until > now && cached.until <= now + lifetime / 2) return cached.header
    // There are four or five push services. Subscriptions that name others must not fill the memory.
    if (tokens.size >= 100) tokens.clear()
    const claims = { aud: origin, exp: Math.floor((now + lifetime) / 1000), sub: contact }
    const signed = `${encoded({ typ: 'JWT', alg: 'ES256' })}.${encoded(claims)}`
    const signature = sign('sha256', Buffer.from(signed), { key: signingKey, dsaEncoding: 'ieee-p1363' })
    const header = `vapid t=${signed}.${signature.toString('base64url')}, k=${keys.publicKey}`
    tokens.set(origin, { header, until: now + lifetime / 2 })
    return header
  }
}

function keyObjectOf({ publicKey, privateKey }: PushKeys): KeyObject {
  const point = Buffer.from(publicKey, 'base64url')
  const number = (from: number) => point.subarray(from, from + 32).toString('base64url')
  const key = { kty: 'EC', crv: 'P-256', x: number(1), y: number(33), d: privateKey }
  return createPrivateKey({ key, format: 'jwk' })
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
