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
