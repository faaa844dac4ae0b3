import { readAuthResponse, signedInSchema } from '#features/account/session/server/auth-response.ts'
import type { Auth } from '#features/account/session/server/better-auth.ts'
import {
  endSignInSessions,
  headersForAuth,
  openSessionOf,
} from '#features/account/session/server/sign-in-session.ts'
import type { HttpContext } from '#platform/http/request/context.ts'

/** Signs in a user who has proved by a link who they are. Ends the session that this browser had before. */
export async function signInAs(auth: Auth, c: HttpContext, address: string, user: string) {
  const headers = headersForAuth(c, address)
  const open = await openSessionOf(auth, headers)
  const response = await auth.api.startSession({ body: { user }, headers, asResponse: true })
  if (response.ok && open) await endSignInSessions(auth, open.userId, { only: open.token })
  return readAuthResponse(auth, c, response, signedInSchema)
}
