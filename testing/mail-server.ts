import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  /** Who the sender's server said it goes to, whatever the headers say. */
  recipients: string[]
  headers: Map<string, string>
  text: string
  html: string
  /** The first link in the text. */
  link: string
  /** All of them. */
  links: string[]
}

export interface MailServer {
  url: string
  mails: readonly ReceivedMail[]
  /** The next mail to an address that was not asked for before; waits for it. */
  mailTo(address: string): Promise<ReceivedMail>
  /** Refuses the next mails with one code each, such as 451 or 550. */
  refuse(...codes: number[]): void
  /** Takes no mail any more, without saying so, until the response is called. */
  freeze(): () => void
  /** How many mails were begun, those that were refused included. */
  begun(): number
  /** How many connections there are now. */
  connections(): number
  stop(): Promise<void>
}

/** A real SMTP server in the test's own process; `port` 0 is any free one. */
export async function startMailServer(port = 0): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const taken = new Set<ReceivedMail>()
  const refusals: number[] = []
  let begun = 0
  let thawed = Promise.resolve()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 100,
    async onMailFrom(_address, _session, respond) {
      begun++
      await thawed
      const code = refusals.shift()
      if (code === undefined) return respond()
      respond(Object.assign(new Error('ada@example.org is not welcome'), { responseCode: code }))
    },
    async onData(stream, session, respond) {
      const raw = await text(stream).catch(() => undefined)
      // The client went away in the middle, which is what some tests want.
      if (raw === undefined) return
      const recipients = session.envelope.rcptTo.map(({ address }) => address)
      mails.push(read(raw, recipients))
      respond()
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')

  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    async mailTo(recipient) {
      for (let waited = 0; waited < 300_000; waited += 20) {
        const mail = mails.find((each) => each.recipients.includes(recipient) && !taken.has(each))
        if (mail) {
          taken.add(mail)
          return mail
        }
        await pause(20)
      }
      throw new Error(`No mail to ${recipient}`)
    },
    refuse: (...codes) => void refusals.push(...codes),
    freeze() {
      const { promise, resolve } = Promise.withResolvers<void>()
      thawed = promise
      return resolve
    },
    begun: () => begun,
    connections: () => server.connections.size,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function read(raw: string, recipients: string[]): ReceivedMail {
  const whole = partOf(raw)
  const boundary = /boundary="([^"]+)"/.exec(whole.headers.get('content-type') ?? '')?.[1]
  if (boundary === undefined) throw new Error('The mail has one part only')
  const parts = whole.body.split(`--${boundary}`).slice(1, -1).map(partOf)
  const bodyOf = (type: string) => {
    const part = parts.find(({ headers }) => headers.get('content-type')?.startsWith(type))
    if (part === undefined) throw new Error(`The mail has no part of ${type}`)
    return decoded(part.body, part.headers.get('content-transfer-encoding'))
  }
  const plain = bodyOf('text/plain')
  const links = plain.match(/https?:\/\/\S+/g) ?? []
  const [link] = links
  if (link === undefined) throw new Error('The mail has no link')
  return {
    recipients,
    headers: whole.headers,
    text: plain,
    html: bodyOf('text/html'),
    link,
    links: [...links],
  }
}

function partOf(raw: string): { headers: Map<string, string>; body: string } {
  const trimmed = raw.replace(/^\r\n/, '')
  const end = trimmed.indexOf('\r\n\r\n')
  const lines = trimmed
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { headers: new Map(headers), body: trimmed.slice(end + 4) }
}

function decoded(body: string, encoding = '7bit'): string {
  if (encoding === '7bit') return body
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') throw new Error(`An unknown encoding: ${encoding}`)
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
