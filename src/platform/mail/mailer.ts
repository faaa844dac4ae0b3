import { setTimeout as pause, setImmediate as soon } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import type { Instant } from '#platform/calendar/day.ts'
import { loggable } from '#platform/http/request-log.ts'

export interface Mail {
  /** One address, without a name. */
  to: string
  subject: string
  text: string
  html: string
  /** What the log calls it; says nothing of a person. */
  kind: string
}

/** Taken by the SMTP server; refused by it for good; or not to be had now. */
export type MailOutcome = 'delivered' | 'refused' | 'unreachable'

export interface Mailer {
  /** Sees to a mail. Never holds anybody up and never fails: what could not be sent at the last try is logged. */
  send(mail: Mail): void
  /** Tries a mail once, within `patience`, for whoever keeps it and will try it again. */
  try(mail: Mail): Promise<MailOutcome>
  /** Does what may lead to a mail once the answer to the request is out; a failure is logged. */
  afterwards(work: () => Promise<unknown>): void
  /** Tries once more what waits, and gives up after `patience` milliseconds. */
  close(patience: number): Promise<void>
}

interface MailerSettings {
  /** `smtp://user:password@host:587` or `smtps://…`; its query may name further options of nodemailer. */
  url: string
  /** Who the mail comes from. */
  from: string
}

const second = 1_000
/** The longest that one try of a mail lasts, in milliseconds; some servers let a stranger wait on purpose. */
export const patience = 30 * second
// For so long nothing is tried where the server did not answer: whoever waits in line is told so at once.
const restAfterSilence = 30 * second
// Milliseconds between one try and the next: a moment's trouble, a restart, and an outage that ends soon.
const pauses = [second, 10 * second, 60 * second, 300 * second]
// More than these at once are not mail of people any more, and none of them may fill the memory.
const mostAtOnce = 200

/** Mail over SMTP. What is under way is kept in memory only: a link that never came is asked for again. */
export function openMailer(
  { url, from }: MailerSettings,
  log: Logger,
  clock: () => Instant = Date.now,
  longestTry = patience,
): Mailer {
  const transport = createTransport(
    transportTo(url),
    // So that no machine answers that somebody is on holiday.
    { from, headers: { 'Auto-Submitted': 'auto-generated' } },
  )
  const underWay = new Set<Promise<void>>()
  const closing = new AbortController()
  const cutOff = new AbortController()
  let silentUntil: Instant = 0

  function keep(work: Promise<void>): void {
    underWay.add(work)
    void work.finally(() => underWay.delete(work))
  }

  async function deliver(mail: Mail): Promise<void> {
    for (let tries = 0; ; tries++) {
      const failure = await attempt(mail)
      if (failure === undefined) return
      const wait = isFinal(failure) || closing.signal.aborted ? undefined : pauses[tries]
      const told = inLog(mail, failure)
      if (wait === undefined) return log.error(told, 'A mail could not be sent')
      log.warn(told, 'A mail could not be sent yet; it is tried again')
      await pause(wait, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }

  async function attempt({ to, subject, text, html }: Mail): Promise<unknown> {
    try {
      // The envelope is named apart, so that nothing in a header can add somebody to it.
      const envelope = { from, to: [to] }
      const addressed = { name: '', address: to }
      // The timeouts above hold for one step each, of which a slow server has many.
      const signal = AbortSignal.any([cutOff.signal, AbortSignal.timeout(longestTry)])
      await transport.sendMail({ to: addressed, envelope, subject, text, html, signal })
      return undefined
    } catch (error) {
      return error
    }
  }

  async function drained(): Promise<void> {
    // What is done afterwards may lead to mail, which counts too.
    while (underWay.size > 0) await Promise.all(underWay)
  }

  return {
    send(mail) {
      if (!isOneAddress(mail.to)) return log.error({ mail: mail.kind }, 'A mail has no address to go to')
      if (underWay.size >= mostAtOnce) return log.error({ mail: mail.kind }, 'Too much mail is under way')
      keep(deliver(mail))
    },
    async try(mail) {
      if (!isOneAddress(mail.to)) {
        log.error({ mail: mail.kind }, 'A mail has no address to go to')
        return 'refused'
      }
      const now = clock()
      if (silentUntil > now) return 'unreachable'
      // After a rest the first asks alone: the others wait for what becomes of it.
      if (silentUntil > 0) silentUntil = now + restAfterSilence
      const failure = await attempt(mail)
      const answered = failure === undefined || responseCodeOf(failure) !== undefined
      silentUntil = answered ? 0 : clock() + restAfterSilence
      if (failure === undefined) return 'delivered'
      if (isFinal(failure)) {
        log.error(inLog(mail, failure), 'A mail could not be sent')
        return 'refused'
      }
      log.warn(inLog(mail, failure), 'A mail could not be sent yet; it is tried again')
      return 'unreachable'
    },
    afterwards(work) {
      const failed = (error: unknown) => log.error({ error: loggable(error) }, 'What leads to a mail failed')
      keep(
        soon()
          .then(work)
          .then(() => {}, failed),
      )
    },
    async close(patience) {
      closing.abort()
      const over = new AbortController()
      const cutting = pause(patience, undefined, { signal: over.signal }).catch(() => {})
      await Promise.race([drained(), cutting])
      over.abort()
      if (underWay.size > 0) log.error({ mails: underWay.size }, 'Ended before all mail was sent')
      cutOff.abort()
      transport.close()
    },
  }
}

function transportTo(url: string) {
  return {
    url,
    connectionTimeout: 10 * second,
    greetingTimeout: 10 * second,
    dnsTimeout: 10 * second,
    socketTimeout: 30 * second,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

export interface SmtpFailure {
  /** Such as EAUTH or ECONNREFUSED. */
  code: string | undefined
  /** Of the SMTP server, such as 535. */
  response: number | undefined
}

/** Why mail could not be sent there; undefined where it could. Signs in and sends none. */
export async function trySmtp(url: string): Promise<SmtpFailure | undefined> {
  const transport = createTransport(transportTo(url))
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
    return { code, response: responseCodeOf(error) }
  } finally {
    transport.close()
  }
}

function isOneAddress(text: string): boolean {
  return /^[^\s"(),:;<>@[\\\]]+@[^\s"(),:;<>@[\\\]]+$/.test(text) && !/\p{Cc}/u.test(text)
}

// What is wrong is how we sign in, which the operator will put right.
const ofSigningIn = new Set([530, 534, 535, 538])

/** The SMTP server has said that the same mail would be refused again. */
function isFinal(failure: unknown): boolean {
  const code = responseCodeOf(failure) ?? 0
  return code >= 500 && !ofSigningIn.has(code)
}

function inLog(mail: Mail, failure: unknown) {
  return { mail: mail.kind, error: { ...loggable(failure), responseCode: responseCodeOf(failure) } }
}

function responseCodeOf(failure: unknown): number | undefined {
  if (!(failure instanceof Error) || !('responseCode' in failure)) return undefined
  return typeof failure.responseCode === 'number' ? failure.responseCode : undefined
}
