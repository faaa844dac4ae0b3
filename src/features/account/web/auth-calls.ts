import * as z from 'zod'
import { type Failure, failureSchema } from '#platform/wire/failure.ts'
import { type SignIn, type SignUp, type User, userSchema } from '../account.ts'

/** `failure` is undefined when nothing answered, or nothing of ours. */
export type AuthAnswer = { ok: true; user: User | undefined } | { ok: false; failure: Failure | undefined }

export function signIn(credentials: SignIn): Promise<AuthAnswer> {
  return post('/api/auth/sign-in/email', credentials)
}

export function signUp(account: SignUp): Promise<AuthAnswer> {
  return post('/api/auth/sign-up/email', account)
}

export function signOut(): Promise<AuthAnswer> {
  return post('/api/auth/sign-out', {})
}

const successSchema = z.object({
  user: userSchema.optional(),
  url: z.string().nullish(),
  redirect: z.boolean().nullish(),
})

async function post(path: string, body: object): Promise<AuthAnswer> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    })
    const answer: unknown = await response.json()
    if (!response.ok) return { ok: false, failure: failureSchema.safeParse(answer).data }
    const success = successSchema.parse(answer)
    if (success.redirect && success.url) follow(success.url)
    return { ok: true, user: success.user }
  } catch (noAnswer) {
    console.warn(`POST ${path} got no answer`, noAnswer)
    return { ok: false, failure: undefined }
  }
}

/** Only to ourselves: whoever can shape an answer must not send people elsewhere. */
function follow(url: string) {
  const target = URL.parse(url, location.href)
  if (target?.origin === location.origin) location.assign(target)
}
