import * as z from 'zod/mini'
import { refusalOf } from '#platform/http/endpoint/health.ts'
import type { HttpContext } from '#platform/http/request/context.ts'
import { type ErrorResponse, errorResponse, notSignedIn } from '#platform/http/request/error-response.ts'
import { userSchema } from '../user.ts'
import type { Auth } from './better-auth.ts'
import { passCookies } from './sign-in-session.ts'

// better-auth's responses contain more than we promise; the additional fields are passed on unchanged.
export const authUserSchema = z.looseObject(userSchema.shape)
export const signedInSchema = z.looseObject({ token: z.string(), user: authUserSchema })

export const authFailureSchema = z.object({ code: z.string(), message: z.string() })
/** Messages for people, plainer than better-auth's own. */
export const plainMessages = {
  INVALID_EMAIL_OR_PASSWORD: 'Incorrect email or password.',
  INVALID_PASSWORD: 'Incorrect password.',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL:
    'An account with this email already exists. Sign in, or use another email.',
} as const
const messageByCode = new Map<string, string>(Object.entries(plainMessages))

const errorStatus = z.union([z.literal(400), z.literal(401), z.literal(403), z.literal(422)])

/** Turns a better-auth response into the response of one of our endpoints, and passes on its cookies. */
export async function readAuthResponse<S extends z.ZodMiniType>(
  auth: Pick<Auth, 'storageProblem'>,
  c: HttpContext,
  response: Response,
  schema: S,
): Promise<{ status: 200; body: z.output<S> } | ErrorResponse> {
  passCookies(c, response.headers)
  const body = await response.json()
  if (response.ok) return { status: 200, body: schema.parse(body) }
  // better-auth responds with 500 if it could not read a session, and has logged the reason.
  if (response.status === 500) return refusalOf(auth.storageProblem())
  const status = errorStatus.safeParse(response.status)
  const failure = authFailureSchema.safeParse(body)
  // better-auth failed for an internal reason that does not concern the caller, whatever status it chose.
  if (!status.success || !failure.success || failure.data.code.startsWith('FAILED_TO_')) {
    const problem = auth.storageProblem()
    if (problem) return refusalOf(problem)
    throw new Error(`better-auth answered ${response.status}`)
  }
  const { code, message } = failure.data
  // The account was deleted after the session lookup: every existing account has a password.
  if (code === 'CREDENTIAL_ACCOUNT_NOT_FOUND') return notSignedIn
  return errorResponse(status.data, code, messageByCode.get(code) ?? message)
}
