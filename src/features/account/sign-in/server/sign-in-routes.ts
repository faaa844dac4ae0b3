import type { AccountParts } from '#features/account/session/server/account-parts.ts'
import {
  plainMessages,
  readAuthResponse,
  signedInSchema,
} from '#features/account/session/server/auth-response.ts'
import {
  endSignInSessions,
  headersForAuth,
  openSessionOf,
} from '#features/account/session/server/sign-in-session.ts'
import { type Endpoint, publicEndpoint } from '#platform/http/endpoint/endpoint.ts'
import { admitGuess, type Guess, guessedRight } from '#platform/http/guards/guess-limit-store.ts'
import { clientNetworks } from '#platform/http/request/client-address.ts'
import type { HttpContext } from '#platform/http/request/context.ts'
import { errorResponse, tooManyRequests } from '#platform/http/request/error-response.ts'
import { type SignIn, signInSchema } from '../account.ts'
import { emailKey } from './email-key.ts'
import { deviceCookie, isKnownDevice, readDevice, rememberDevice } from './known-device.ts'
import { passwordOf } from './password.ts'

// Enough for a family behind one address, but few tries for somebody who guesses passwords.
const signInLimit = { name: 'sign-in', max: 10, seconds: 60 }

const wrongCredentials = errorResponse(
  401,
  'INVALID_EMAIL_OR_PASSWORD',
  plainMessages.INVALID_EMAIL_OR_PASSWORD,
)

export function signInEndpoint(parts: AccountParts): Endpoint {
  const { database, rateLimit, now } = parts
  return publicEndpoint({
    method: 'POST',
    path: '/api/auth/sign-in/email',
    summary: 'Sign in; ends the sign-in session that this browser had',
    limit: signInLimit,
    takes: { body: signInSchema },
    responses: { 200: signedInSchema },
    errors: [401, 403],
    async handle({ c, body }) {
      const guess = rateLimit ? await guessOf(parts, c, body.email) : undefined
      const wait = guess ? await admitGuess(database, guess, now()) : 0
      if (wait > 0) return tooManyRequests(Math.ceil(wait / 1000))
      let isWrong = false
      try {
        const reply = await signIn(parts, c, body)
        isWrong = reply.status === 401
        return reply
      } finally {
        // Any other outcome, such as an unreachable database, says nothing about the password.
        if (guess && !isWrong) await guessedRight(database, guess)
      }
    },
  })
}

async function signIn({ auth, addressOf }: AccountParts, c: HttpContext, body: SignIn) {
  const headers = headersForAuth(c, addressOf(c))
  const open = await openSessionOf(auth, headers)
  const before = await passwordOf(auth, body.email)
  const response = await auth.api.signInEmail({ body, headers, asResponse: true })
  if (!response.ok) return readAuthResponse(auth, c, response, signedInSchema)
  const password = await passwordOf(auth, body.email)
  if (password?.hash !== before?.hash) {
    // The password changed while the old one was still being checked. A new password ends all access through the old one.
    const { token, user } = signedInSchema.parse(await response.json())
    await endSignInSessions(auth, user.id, { only: token })
    return wrongCredentials
  }
  if (open) await endSignInSessions(auth, open.userId, { only: open.token })
  const reply = await readAuthResponse(auth, c, response, signedInSchema)
  rememberDevice(c, await deviceCookie(auth), password)
  return reply
}

/**
 * The counts that a password guess adds to. Guesses are counted by email, whether or not the email has an account. A browser in
 * which the owner signed in before waits only after its own wrong guesses, so that people who guess elsewhere do not hold up the
 * owner. Other browsers wait after its guesses, too. Each IPv6 /64 has its own count, so that no neighbour uses it up, and all of
 * a /48 share a limit.
 */
async function guessOf({ auth, addressOf }: AccountParts, c: HttpContext, email: string): Promise<Guess> {
  const cookie = await deviceCookie(auth)
  const device = readDevice(c, cookie)
  const account = await emailKey(auth, email)
  const password = device && device.marks.length > 0 ? await passwordOf(auth, email) : undefined
  if (device && password && isKnownDevice(device, cookie, password)) {
    return { target: `${account}|${await emailKey(auth, device.id)}`, guesser: 'owner', wayTo: account }
  }
  const [guesser, network] = clientNetworks(addressOf(c))
  return { target: account, guesser, ...(network !== undefined && { network }) }
}
