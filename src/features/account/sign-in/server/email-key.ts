import { createHmac } from 'node:crypto'
import type { Auth } from '#features/account/session/server/better-auth.ts'

/**
 * A keyed hash that stands for an email wherever something is counted by email. A copy of the database does not reveal which
 * addresses were tried, and a deleted account leaves no address behind. Every process computes the same key.
 */
export async function emailKey(auth: Auth, email: string): Promise<string> {
  const { secret } = await auth.$context
  return keyedHash(secret, `email|${email.toLowerCase()}`)
}

/** A keyed hash of 128 bits, in 22 characters that never need escaping. */
export function keyedHash(secret: string, text: string): string {
  // Derive a separate key, so that nothing else signed with the secret can pass for one of these hashes.
  const key = createHmac('sha256', secret).update('daymark|keyed hash').digest()
  return createHmac('sha256', key).update(text).digest().subarray(0, 16).toString('base64url')
}
