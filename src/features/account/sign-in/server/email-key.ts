import { createHmac } from 'node:crypto'
import type { Auth } from '#features/account/session/server/better-auth.ts'

/**
 * Stands for an email wherever something is counted by email: a copy of the database does not reveal whose address was
 * tried, and a deleted account leaves none behind. The same in every process.
 */
export async function emailKey(auth: Auth, email: string): Promise<string> {
  const { secret } = await auth.$context
  return keyedHash(secret, `email|${email.toLowerCase()}`)
}

/** 128 bits in 22 characters that never need escaping. */
export function keyedHash(secret: string, text: string): string {
  // A separate key, so that nothing else signed with the secret can pass for one of these.
  const key = createHmac('sha256', secret).update('daymark|keyed hash').digest()
  return createHmac('sha256', key).update(text).digest().subarray(0, 16).toString('base64url')
}
