import * as z from 'zod/mini'
import type { AccountParts } from '#features/account/session/server/account-parts.ts'
import { readAuthResponse } from '#features/account/session/server/auth-response.ts'
import { headersForAuth } from '#features/account/session/server/sign-in-session.ts'
import { accountDeletionSchema } from '#features/account/sign-in/account.ts'
import { passwordLimit } from '#features/account/sign-in/server/password.ts'
import { type Endpoint, endpointWithContext } from '#platform/http/endpoint/endpoint.ts'

const deletedSchema = z.looseObject({ success: z.literal(true) })

export function deletionEndpoint({ auth, addressOf }: AccountParts): Endpoint {
  return endpointWithContext({
    method: 'POST',
    path: '/api/auth/delete-user',
    summary: 'Delete the account and all that belongs to it, with the password',
    limit: passwordLimit,
    takes: { body: accountDeletionSchema },
    responses: { 200: deletedSchema },
    async handle({ c, body: { password } }) {
      const headers = headersForAuth(c, addressOf(c))
      const response = await auth.api.deleteUser({ body: { password }, headers, asResponse: true })
      return readAuthResponse(auth, c, response, deletedSchema)
    },
  })
}
