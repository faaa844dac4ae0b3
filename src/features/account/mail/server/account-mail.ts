import type { AuthMail, Recipient } from '#features/account/session/server/better-auth.ts'
import { renderLetter } from '#platform/mail/letter.ts'
import type { Mailer } from '#platform/mail/mailer.ts'

/** The mail about accounts. Its links lead to pages of the app, which pass the token on. */
export interface AccountMail extends AuthMail {
  signUp(to: Recipient, token: string): void
  /** Tells the owner of an account that somebody tried to sign up with its address. */
  alreadyRegistered(to: Recipient): void
  afterwards: Mailer['afterwards']
}

/** `baseUrl` is the public origin of the app. Links are never built from a request, because anybody can forge one. */
export function accountMail(mailer: Mailer, baseUrl: string): AccountMail {
  const linkTo = (page: string, token: string) => {
    const link = new URL(page, baseUrl)
    link.searchParams.set('token', token)
    return link.href
  }
  return {
    afterwards: mailer.afterwards,
    signUp({ name, email }, token) {
      mailer.send({
        kind: 'sign-up',
        to: email,
        subject: 'Finish signing up for Daymark',
        ...renderLetter(name, {
          before:
            'Someone signed up for Daymark with this email address. If it was you, finish signing up within a day:',
          label: 'Finish signing up',
          link: linkTo('/finish-sign-up', token),
          after: "If it wasn't you, ignore this email, and no account will be created.",
        }),
      })
    },
    alreadyRegistered({ name, email }) {
      mailer.send({
        kind: 'account there already',
        to: email,
        subject: 'You already have a Daymark account',
        ...renderLetter(name, {
          before:
            'Someone tried to sign up for Daymark with this email address, but you already have an account. If it was you, sign in:',
          label: 'Sign in',
          link: new URL('/sign-in', baseUrl).href,
          otherwise: {
            before: 'Forgot your password? Choose a new one:',
            label: 'Choose a new password',
            link: new URL('/forgot-password', baseUrl).href,
          },
          after: "If it wasn't you, ignore this email. Nothing has changed in your account.",
        }),
      })
    },
    passwordReset({ name, email }, token) {
      mailer.send({
        kind: 'password reset',
        to: email,
        subject: 'Choose a new Daymark password',
        ...renderLetter(name, {
          before:
            'Someone asked to reset the password for your Daymark account. If it was you, choose a new one within an hour:',
          label: 'Choose a new password',
          link: linkTo('/reset-password', token),
          after: "If it wasn't you, ignore this email. Your password hasn't changed.",
        }),
      })
    },
    emailVerification({ name, email }, token) {
      mailer.send({
        kind: 'address check',
        to: email,
        subject: 'Confirm your email address for Daymark',
        ...renderLetter(name, {
          before:
            'A Daymark account was created with this email address. If you created it, confirm the address within a day:',
          label: 'Confirm address',
          link: linkTo('/verify-email', token),
          after: "If you didn't, ignore this email, and the address will stay unconfirmed.",
        }),
      })
    },
  }
}
