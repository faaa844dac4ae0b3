import { createHmac } from 'node:crypto'
import type { Application } from '#app/testing/application.ts'
import { instantForAuth } from '#platform/database/auth-values.ts'
import type { Database } from '#platform/database/database.ts'
import { addUser } from '#platform/database/testing/add-user.ts'

const day = 86_400_000

/** Signs in a new person without the cost of hashing a password. Returns their cookie. */
export async function signIn(daymark: Application, database: Database, user: string): Promise<string> {
  await addUser(database.auth, database.engine, user)
  return signInAgain(daymark, database, user)
}

/** Signs the same person in on another device. */
export async function signInAgain(daymark: Application, database: Database, user: string): Promise<string> {
  const { secret, authCookies } = await daymark.auth.$context
  const stamp = (instant: number) => instantForAuth(database.engine, instant)
  const now = Date.now()
  const token = crypto.randomUUID()
  await database.auth
    .insertInto('session')
    .values({
      id: token,
      token,
      userId: user,
      ipAddress: null,
      userAgent: null,
      createdAt: stamp(now),
      updatedAt: stamp(now),
      expiresAt: stamp(now + 30 * day),
    })
    .execute()
  const signature = createHmac('sha256', secret).update(token).digest('base64')
  return `${authCookies.sessionToken.name}=${encodeURIComponent(`${token}.${signature}`)}`
}
