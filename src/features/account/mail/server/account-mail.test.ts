import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Mailer, openMailer } from '#platform/mail/mailer.ts'
import { type MailServer, startMailServer } from '#testing/mail-server.ts'
import { type AccountMail, accountMail } from './account-mail.ts'

let smtp: MailServer
let mailer: Mailer
let mail: AccountMail
let lines: string[]
beforeEach(async () => {
  lines = []
  const log = pino({ base: undefined }, { write: (line: string) => lines.push(line) })
  smtp = await startMailServer()
  mailer = openMailer({ url: smtp.url, from: 'Daymark <mail@daymark.example>' }, log)
  mail = accountMail(mailer, 'https://daymark.example')
})
afterEach(async () => {
  await mailer.close(0)
  await smtp.stop()
})

it('lets no name add a header, a recipient or a link of its own', async () => {
  const name = 'Ada\r\nBcc: eve@localhost\r\n\r\n<a href="https://evil">"&'
  mail.passwordReset({ name: name.replace('https://', ''), email: 'ada@example.org' }, 'token')
  const { recipients, headers, html, link } = await smtp.mailTo('ada@example.org')
  expect(recipients).toEqual(['ada@example.org'])
  expect(headers.has('bcc')).toBe(false)
  expect(JSON.stringify([...headers])).not.toContain('eve@')
  expect(html).toContain('&lt;a href=&quot;evil&quot;&gt;&quot;&amp;')
  expect(html.match(/href="/g)).toHaveLength(1)
  expect(link).toBe('https://daymark.example/reset-password?token=token')
})

it.each([
  ['Ada Lovelace', 'Hello Ada Lovelace,'],
  ["J. R. R. O'Neill Jr.", "Hello J. R. R. O'Neill Jr.,"],
  ['J.R.R. Tolkien', 'Hello J.R.R. Tolkien,'],
  // Anybody can sign somebody else up.
  ['You won at evil.example', 'Hello,'],
])('greets %s by name, unless that would be a link', async (name, greeting) => {
  mail.signUp({ name, email: 'ada@example.org' }, 'token')
  const { text, html } = await smtp.mailTo('ada@example.org')
  expect(text.split(/\r?\n/)[0]).toBe(greeting)
  expect(html).toContain(`>${greeting}<`)
  expect(text + html).not.toContain('evil.example')
})

it.each([
  'ada@example.org, eve@example.org',
  'ada@example.org\r\nBcc: eve@example.org',
  'ada@example.org\nRCPT TO:<eve@example.org>',
  'Ada <ada@example.org>',
  'team: ada@example.org, eve@example.org;',
  'ada\0@example.org',
  'ada',
  '',
])('sends nothing to anything but a single address: %j', async (email) => {
  mail.emailVerification({ name: 'Ada', email }, 'token')
  await mailer.close(5_000)
  expect(smtp.begun()).toBe(0)
  expect(lines.join()).toContain('A mail has no address to go to')
  expect(lines.join()).not.toContain('example.org')
})

it('passes on a token unchanged, whatever characters it has', async () => {
  mail.emailVerification({ name: 'Ada', email: 'ada@example.org' }, 'a+b/c=&d?#e')
  const { link } = await smtp.mailTo('ada@example.org')
  expect(new URL(link).searchParams.get('token')).toBe('a+b/c=&d?#e')
})
