import type { HttpContext } from '#platform/http/context.ts'
import type { Auth } from './auth.ts'
import { answerOf, signedInSchema } from './auth-answer.ts'
import { endSignInSessions, headersForAuth, openSessionOf } from './sign-in-session.ts'

/** For whoever has proved by a link to be the user. Ends the sign-in session that this browser had. */
export async function signInTo(auth: Auth, c: HttpContext, address: string, user: string) {
  const headers = headersForAuth(c, address)
  const open = await openSessionOf(auth, headers)
  const response = await auth.api.startSession({ body: { user }, headers, asResponse: true })
  if (response.ok && open) await endSignInSessions(auth, open.userId, { only: open.token })
  return answerOf(auth, c, response, signedInSchema)
}
