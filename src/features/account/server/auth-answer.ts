import * as z from 'zod/mini'
import type { HttpContext } from '#platform/http/context.ts'
import { refusalOf } from '#platform/http/health.ts'
import { notSignedIn, type Refusal, refuse } from '#platform/http/refusal.ts'
import { userSchema } from '../account.ts'
import type { Auth } from './auth.ts'
import { passCookies } from './sign-in-session.ts'

// better-auth answers more than is promised here, and is passed on as it is.
export const answeredUserSchema = z.looseObject(userSchema.shape)
export const signedInSchema = z.looseObject({ token: z.string(), user: answeredUserSchema })

export const failureOfAuth = z.object({ code: z.string(), message: z.string() })
/** What people read, in plainer words than better-auth's. */
export const reasons = {
  INVALID_EMAIL_OR_PASSWORD: 'Incorrect email or password.',
  INVALID_PASSWORD: 'Incorrect password.',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL:
    'An account with this email already exists. Sign in, or use another email.',
} as const
const reasonOf = new Map<string, string>(Object.entries(reasons))

const refusedStatus = z.union([z.literal(400), z.literal(401), z.literal(403), z.literal(422)])

/** What better-auth answered as our endpoints answer it, its cookies included. */
export async function answerOf<S extends z.ZodMiniType>(
  auth: Pick<Auth, 'storageProblem'>,
  c: HttpContext,
  response: Response,
  schema: S,
): Promise<{ status: 200; body: z.output<S> } | Refusal> {
  passCookies(c, response.headers)
  const answer = await response.json()
  if (response.ok) return { status: 200, body: schema.parse(answer) }
  // So it says of a session that could not be read, having logged why.
  if (response.status === 500) return refusalOf(auth.storageProblem())
  const status = refusedStatus.safeParse(response.status)
  const failure = failureOfAuth.safeParse(answer)
  // A sign-up that failed for no reason of its own: not the caller's mistake, whatever better-auth calls it.
  if (!status.success || !failure.success || failure.data.code.startsWith('FAILED_TO_')) {
    const problem = auth.storageProblem()
    if (problem) return refusalOf(problem)
    throw new Error(`better-auth answered ${response.status}`)
  }
  const { code, message } = failure.data
  // The account was deleted since the sign-in session was looked up: every account has a password.
  if (code === 'CREDENTIAL_ACCOUNT_NOT_FOUND') return notSignedIn
  return refuse(status.data, code, reasonOf.get(code) ?? message)
}
