import { lettered } from '#platform/mail/letter.ts'
import type { Mailer } from '#platform/mail/mailer.ts'

interface Addressee {
  name: string
  email: string
}

/** The mail that an account leads to. Its links go to pages of the app, which hand the token on. */
export interface AccountMail {
  passwordReset(to: Addressee, token: string): void
  addressCheck(to: Addressee, token: string): void
  signUp(to: Addressee, token: string): void
  /** To the owner of an account with whose address somebody signed up again. */
  accountThereAlready(to: Addressee): void
  afterwards: Mailer['afterwards']
}

/** `baseUrl`: the public origin of the app. No link is ever built from a request, which anybody can shape. */
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
        subject: 'Finish your sign-up for Daymark',
        ...lettered(name, {
          before: 'Somebody signed up for Daymark with this address. Finish here within a day if it was you:',
          label: 'Finish your sign-up',
          link: linkTo('/finish-sign-up', token),
          after: 'If it was not you, do nothing: no account is made.',
        }),
      })
    },
    accountThereAlready({ name, email }) {
      mailer.send({
        kind: 'account there already',
        to: email,
        subject: 'You already have a Daymark account',
        ...lettered(name, {
          before:
            'Somebody signed up for Daymark with this address, which already has an account. Sign in here:',
          label: 'Sign in',
          link: new URL('/sign-in', baseUrl).href,
          otherwise: {
            before: 'Forgot your password? Choose a new one:',
            label: 'Choose a new password',
            link: new URL('/forgot-password', baseUrl).href,
          },
          after: 'If it was not you, do nothing: your account stays as it is.',
        }),
      })
    },
    passwordReset({ name, email }, token) {
      mailer.send({
        kind: 'password reset',
        to: email,
        subject: 'Choose a new password for Daymark',
        ...lettered(name, {
          before:
            'Somebody asked for a new password for your Daymark account. Choose one here within an hour:',
          label: 'Choose a new password',
          link: linkTo('/reset-password', token),
          after: 'If it was not you, do nothing: your password stays as it is.',
        }),
      })
    },
    addressCheck({ name, email }, token) {
      mailer.send({
        kind: 'address check',
        to: email,
        subject: 'Confirm your address for Daymark',
        ...lettered(name, {
          before: 'A Daymark account was made with this address. Confirm here within a day that it is yours:',
          label: 'Confirm this address',
          link: linkTo('/verify-email', token),
          after: 'If it was not you, do nothing: the address stays unconfirmed.',
        }),
      })
    },
  }
}
