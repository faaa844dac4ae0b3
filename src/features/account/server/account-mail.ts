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
        ...bothParts(name, {
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
        ...bothParts(name, {
          before: 'A Daymark account was made with this address. Confirm here within a day that it is yours:',
          label: 'Confirm this address',
          link: linkTo('/verify-email', token),
          after: 'If it was not you, do nothing: the address stays unconfirmed.',
        }),
      })
    },
  }
}

interface Words {
  before: string
  label: string
  link: string
  after: string
}

function bothParts(name: string, { before, label, link, after }: Words): { text: string; html: string } {
  const text = `Hello ${name},\n\n${before}\n\n${link}\n\n${after}\n\nDaymark\n`
  const paragraph = (content: string) => `<p style="margin:0 0 20px">${content}</p>`
  const button =
    'display:inline-block;padding:10px 16px;border-radius:8px;background:#165e42;color:#fbfaf7;' +
    'font-weight:600;text-decoration:none'
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"></head>',
    '<body style="margin:0;padding:24px;background:#fbfaf7;color:#21211b;font:16px/24px sans-serif">',
    paragraph(`Hello ${escaped(name)},`),
    paragraph(escaped(before)),
    paragraph(`<a href="${escaped(link)}" style="${button}">${escaped(label)}</a>`),
    paragraph(escaped(after)),
    '<p style="margin:0;color:#686860">Daymark</p></body></html>',
  ].join('\n')
  return { text, html }
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
