import type { Invitation, InvitedSignUp } from '#features/account/invitations/invitation.ts'
import type { MailRequest, PasswordReset, SignUpFinish } from '#features/account/mail/account-by-mail.ts'
import { type AuthAnswer, type Failed, get, post } from '#features/account/session/web/auth-request.ts'
import type { SignIn, SignUp } from '../account.ts'

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
