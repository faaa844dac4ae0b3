import * as z from 'zod/mini'
import type { AccountParts } from '#features/account/session/server/account-parts.ts'
import { authUserSchema, readAuthResponse } from '#features/account/session/server/auth-response.ts'
import { exportAccount } from '#features/account/session/server/exported-account-store.ts'
import { headersForAuth } from '#features/account/session/server/sign-in-session.ts'
import { passwordChangeSchema } from '#features/account/sign-in/account.ts'
import { rememberAccount } from '#features/account/sign-in/server/known-device.ts'
import { passwordLimit, passwordOf, replacePassword } from '#features/account/sign-in/server/password.ts'
import { type Endpoint, endpointWithContext } from '#platform/http/endpoint/endpoint.ts'
import { errorResponse, notSignedIn } from '#platform/http/request/error-response.ts'
import { refuseGuessable } from './new-password.ts'
import { voidPasswordResets } from './password-reset.ts'

const passwordChangedSchema = z.looseObject({ token: z.string(), user: authUserSchema })

// The form also has two fields for the new password, so the message has to say which password is wrong.
const wrongCurrentPassword = errorResponse(400, 'INVALID_PASSWORD', 'Your current password is incorrect.')

export function changePasswordEndpoint({ auth, database, addressOf, now }: AccountParts): Endpoint {
  return endpointWithContext({
    method: 'POST',
    path: '/api/auth/change-password',
    summary: 'Choose a new password; signs out every other device, and gives this one a new sign-in session',
    limit: passwordLimit,
    takes: { body: passwordChangeSchema },
    responses: { 200: passwordChangedSchema },
    async handle({ c, user, body: { currentPassword, newPassword } }) {
      const person = await exportAccount(database, user)
      if (!person) return notSignedIn
      const guessable = await refuseGuessable('newPassword', newPassword, person)
      if (guessable) return guessable
      const before = await passwordOf(auth, person.email)
      if (!before) return notSignedIn
      const { password } = await auth.$context
      const isRight = await password.verify({ hash: before.hash, password: currentPassword })
      if (!isRight) return wrongCurrentPassword
      const newHash = await password.hash(newPassword)
      const isReplaced = await replacePassword(database, { before, newHash }, now())
      if (!isReplaced) return wrongCurrentPassword
      // Void reset links, which somebody else may have requested.
      await voidPasswordResets(auth, user)
      // The old device cookie was bound to the old password, so set a new one.
      await rememberAccount(auth, c, person.email)
      const headers = headersForAuth(c, addressOf(c))
      const response = await auth.api.startSession({ body: { user }, headers, asResponse: true })
      return readAuthResponse(auth, c, response, passwordChangedSchema)
    },
  })
}
