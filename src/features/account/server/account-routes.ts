import { type Endpoint, publicEndpoint } from '#platform/http/endpoint/endpoint.ts'
import { deviceEndpoints } from '../devices/server/device-routes.ts'
import { deletionEndpoint } from '../ending/server/deletion-routes.ts'
import { invitationEndpoints } from '../invitations/server/invitation-routes.ts'
import type { AccountMail } from '../mail/server/account-mail.ts'
import { accountMailEndpoints } from '../mail/server/account-mail-routes.ts'
import { mailboxLimit } from '../mail/server/mailbox-limit.ts'
import { changePasswordEndpoint } from '../password/server/change-password-routes.ts'
import { passwordResetEndpoint } from '../password/server/password-reset-routes.ts'
import { profileEndpoints } from '../profile/server/profile-routes.ts'
import type { AccountParts } from '../session/server/account-parts.ts'
import { sessionEndpoints } from '../session/server/session-routes.ts'
import { instanceSchema } from '../sign-in/instance.ts'
import { signInEndpoint } from '../sign-in/server/sign-in-routes.ts'
import { mailedSignUpEndpoints, signUpEndpoint } from '../sign-up/server/sign-up-routes.ts'

interface Parts extends AccountParts {
  /** Undefined if this server sends no mail: then the endpoints that send mail do not exist. */
  mail: AccountMail | undefined
}

/** The better-auth endpoints that this server opens, under their own names and with their own responses. */
export function accountEndpoints(parts: Parts): Endpoint[] {
  const { auth, database, mail, signUp, rateLimit, now } = parts
  const mayMail = rateLimit ? mailboxLimit(database, auth, now) : async () => true
  return [
    publicEndpoint({
      method: 'GET',
      path: '/api/instance',
      summary: 'Whether new accounts can be made here, and whether mail is sent',
      takes: {},
      responses: { 200: instanceSchema },
      async handle() {
        return { status: 200, body: { sign_up: signUp, mail: mail !== undefined } }
      },
    }),
    ...(mail ? accountMailEndpoints(parts, mail, mayMail) : []),
    passwordResetEndpoint(parts),
    ...invitationEndpoints(parts),
    ...(mail ? mailedSignUpEndpoints(parts, mail, mayMail) : [signUpEndpoint(parts)]),
    signInEndpoint(parts),
    ...sessionEndpoints(parts),
    ...profileEndpoints(database, now),
    changePasswordEndpoint(parts),
    ...deviceEndpoints(parts),
    deletionEndpoint(parts),
  ]
}
