import * as z from 'zod/mini'
import { type Trouble, troubleWithoutFailure } from '#platform/sync/trouble.ts'
import { type Failure, failureSchema } from '#platform/wire/failure.ts'
import { type SignIn, type SignUp, type User, userSchema } from '../account.ts'
import type { MailRequest, PasswordReset, SignUpFinish } from '../account-by-mail.ts'
import type { Invitation, InvitedSignUp } from '../invitation.ts'

/** `failure` is undefined when nothing answered, or nothing of ours: `trouble` says what is known of that. */
export type AuthAnswer =
  | { ok: true; user: User | undefined; email?: string | undefined; name?: string | undefined }
  | Failed

interface Failed {
  ok: false
  failure: Failure | undefined
  trouble: Trouble
}

/** `answer` is the JSON of an answer of that status; both are undefined where there was none. */
export function failed(status?: number, answer?: unknown): Failed {
  const failure = failureSchema.safeParse(answer).data
  return { ok: false, failure, trouble: failure ? 'broken' : troubleWithoutFailure(status) }
}

export function signIn(credentials: SignIn): Promise<AuthAnswer> {
  return post('/api/auth/sign-in/email', credentials)
}

/** Says whom it signed in; nobody where the link of a mail has to be followed first. */
export function signUp(account: SignUp): Promise<AuthAnswer> {
  return post('/api/auth/sign-up/email', account)
}

/**
 * By the token of a mail. Says who is signed in now; or, where the sign-up was begun in another browser, for which email a new
 * password has to be sent along.
 */
export function finishSignUp(finish: SignUpFinish): Promise<AuthAnswer> {
  return post('/api/auth/sign-up/finish', finish)
}

/** By the token of an invitation. Signs in. */
export function signUpInvited(account: InvitedSignUp): Promise<AuthAnswer> {
  return post('/api/auth/sign-up/invited', account)
}

export type InvitationAnswer = { ok: true; invitation: Invitation } | Failed

/** Whom the invitation is for; leaves it as it is. */
export async function lookAtInvitation(token: string): Promise<InvitationAnswer> {
  const answer = await post('/api/auth/invitation', { token })
  if (!answer.ok) return answer
  const { name, email } = answer
  return {
    ok: true,
    invitation: { ...(name !== undefined && { name }), ...(email !== undefined && { email }) },
  }
}

/** Not waited for as long as other calls: without an answer it is made up for later. */
export function signOut(): Promise<AuthAnswer> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  return ask('/api/auth/sign-out', { method: 'POST', headers, body: '{}' }, 5_000)
}

/** `account` is whose screen it is: once somebody else is signed in here, the server refuses. */
export function saveName(account: string, name: string): Promise<AuthAnswer> {
  return post('/api/auth/update-user', { name }, account)
}

export function removePicture(account: string): Promise<AuthAnswer> {
  return post('/api/auth/update-user', { image: null }, account)
}

/** Ends every other sign-in of the account. */
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

/** The link was used already, is too old, or was never sent. */
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
  return ask(path, { method: 'POST', headers, body: JSON.stringify(body) })
}

function get(path: string): Promise<AuthAnswer> {
  return ask(path, { headers: { accept: 'application/json' } })
}

async function ask(path: string, request: RequestInit, patience = 30_000): Promise<AuthAnswer> {
  let status: number | undefined
  try {
    const response = await fetch(path, {
      ...request,
      signal: AbortSignal.timeout(patience),
    })
    status = response.status
    const answer: unknown = await response.json()
    if (!response.ok) return failed(status, answer)
    const success = successSchema.parse(answer)
    if (success.redirect && success.url) follow(success.url)
    return { ok: true, user: success.user, email: success.email, name: success.name }
  } catch (noAnswer) {
    // Without its query, which may be a token.
    console.warn(`${request.method ?? 'GET'} ${path.replace(/\?.*/, '')} got no answer`, noAnswer)
    return failed(status)
  }
}

/** Only to ourselves: whoever can shape an answer must not send people elsewhere. */
function follow(url: string) {
  const target = URL.parse(url, location.href)
  if (target?.origin === location.origin) location.assign(target)
}
