import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import type { Passwords } from '#features/account/session/server/better-auth.ts'

/**
 * Hashes passwords like the server at a hundredth of the cost, since account tests would otherwise spend most of their time
 * on hashing.
 */
export const quickPasswords: Passwords = {
  async hash(password) {
    const salt = randomBytes(16).toString('hex')
    return `${salt}:${(await keyOf(password, salt)).toString('hex')}`
  },
  async verify({ hash, password }) {
    const [salt = '', key = ''] = hash.split(':')
    const kept = Buffer.from(key, 'hex')
    const given = await keyOf(password, salt)
    return kept.length === given.length && timingSafeEqual(kept, given)
  },
}

function keyOf(password: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, 64, { N: 1024, r: 4, p: 1 }, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })
}
