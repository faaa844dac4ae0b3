import * as z from 'zod/mini'
import { problemWithoutResponse, type RequestProblem } from '#platform/sync/network/request-problem.ts'
import { type Failure, failureSchema } from '#platform/wire/failure.ts'
import { type SignIn, type SignUp, type User, userSchema } from '../account.ts'
import type { MailRequest, PasswordReset, SignUpFinish } from '../account-by-mail.ts'
import type { Invitation, InvitedSignUp } from '../invitation.ts'

/** `failure` is undefined if no response came, or none of ours: `problem` then says what is known. */
export type AuthAnswer =
  | { ok: true; user: User | undefined; email?: string | undefined; name?: string | undefined }
  | Failed

interface Failed {
  ok: false
  failure: Failure | undefined
  problem: RequestProblem
}

/** `answer` is the JSON of a response with that status; both are undefined if there was none. */
export function failed(status?: number, answer?: unknown): Failed {
  const failure = failureSchema.safeParse(answer).data
  return { ok: false, failure, problem: failure ? 'broken' : problemWithoutResponse(status) }
}

export function signIn(credentials: SignIn): Promise<AuthAnswer> {
  return post('/api/auth/sign-in/email', credentials)
}

/** Returns whom it signed in; no user if the link in a mail has to be followed first. */
export function signUp(account: SignUp): Promise<AuthAnswer> {
  return post('/api/auth/sign-up/email', account)
}

/**
 * Uses the token of a mail. Returns who is signed in now; or, if the sign-up began in another browser, the email for which
 * a new password has to be sent along.
 */
export function finishSignUp(finish: SignUpFinish): Promise<AuthAnswer> {
  return post('/api/auth/sign-up/finish', finish)
}

/** Uses the token of an invitation. Signs in. */
export function signUpInvited(account: InvitedSignUp): Promise<AuthAnswer> {
  return post('/api/auth/sign-up/invited', account)
}

export type InvitationAnswer = { ok: true; invitation: Invitation } | Failed

/** Whom the invitation is for; does not use it up. */
export async function readInvitation(token: string): Promise<InvitationAnswer> {
  const answer = await post('/api/auth/invitation', { token })
  if (!answer.ok) return answer
  const { name, email } = answer
  return {
    ok: true,
    invitation: { ...(name !== undefined && { name }), ...(email !== undefined && { email }) },
  }
}

/** Has a shorter timeout than the other calls: without a response, the sign-out is completed later. */
export function signOut(): Promise<AuthAnswer> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  return send('/api/auth/sign-out', { method: 'POST', headers, body: '{}' }, 5_000)
}

/** `account` is the user of this screen: if somebody else has signed in here since, the server refuses. */
export function saveName(account: string, name: string): Promise<AuthAnswer> {
  return post('/api/auth/update-user', { name }, account)
}

export function removePicture(account: string): Promise<AuthAnswer> {
  return post('/api/auth/update-user', { image: null }, account)
}

/** Ends every other sign-in session of the account. */
export function changePassword(
  account: string,
  passwords: { currentPassword: string; newPassword: string },
): Promise<AuthAnswer> {
  return post('/api/auth/change-password', { ...passwords, revokeOtherSessions: true }, account)
}

/** `token` is the sign-in session's own. */
export function signOutDevice(account: string, token: string): Promise<AuthAnswer> {
  return post('/api/auth/revoke-session', { token }, account)
}

export function signOutOtherDevices(account: string): Promise<AuthAnswer> {
  return post('/api/auth/revoke-other-sessions', {}, account)
}

export function deleteAccount(account: string, password: string): Promise<AuthAnswer> {
  return post('/api/auth/delete-user', { callbackURL: '/', password }, account)
}

export function requestPasswordReset(request: MailRequest): Promise<AuthAnswer> {
  return post('/api/auth/request-password-reset', request)
}

export function resetPassword(reset: PasswordReset): Promise<AuthAnswer> {
  return post('/api/auth/reset-password', reset)
}

export function sendVerificationEmail(request: MailRequest): Promise<AuthAnswer> {
  return post('/api/auth/send-verification-email', request)
}

export function verifyEmail(token: string): Promise<AuthAnswer> {
  return get(`/api/auth/verify-email?${new URLSearchParams({ token })}`)
}

/** The link has been used, has expired, or was never sent. */
export function isBadToken(answer: AuthAnswer | InvitationAnswer): boolean {
  return !answer.ok && answer.failure?.code === 'INVALID_TOKEN'
}

export function isConfirmedAlready(answer: AuthAnswer): boolean {
  return !answer.ok && answer.failure?.code === 'EMAIL_ALREADY_VERIFIED'
}

const successSchema = z.object({
  user: z.optional(userSchema),
  email: z.optional(z.string()),
  name: z.optional(z.string()),
  url: z.nullish(z.string()),
  redirect: z.nullish(z.boolean()),
})

function post(path: string, body: object, account?: string): Promise<AuthAnswer> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(account === undefined ? {} : { 'x-daymark-user': account }),
  }
  return send(path, { method: 'POST', headers, body: JSON.stringify(body) })
}

function get(path: string): Promise<AuthAnswer> {
  return send(path, { headers: { accept: 'application/json' } })
}

async function send(path: string, options: RequestInit, timeout = 30_000): Promise<AuthAnswer> {
  let status: number | undefined
  try {
    const response = await fetch(path, {
      ...options,
      signal: AbortSignal.timeout(timeout),
    })
    status = response.status
    const answer: unknown = await response.json()
    if (!response.ok) return failed(status, answer)
    const success = successSchema.parse(answer)
    if (success.redirect && success.url) followRedirect(success.url)
    return { ok: true, user: success.user, email: success.email, name: success.name }
  } catch (error) {
    // Logged without its query, which may hold a token.
    console.warn(`${options.method ?? 'GET'} ${path.replace(/\?.*/, '')} got no answer`, error)
    return failed(status)
  }
}

/** Only within our own origin: a forged response must not send people elsewhere. */
function followRedirect(url: string) {
  const target = URL.parse(url, location.href)
  if (target?.origin === location.origin) location.assign(target)
}
