import { setTimeout as pause, setImmediate as soon } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import type { Instant } from '#platform/calendar/day.ts'
import { loggable } from '#platform/log/loggable.ts'

export interface Mail {
  /** The recipient: one address, without a name. */
  to: string
  subject: string
  text: string
  html: string
  /** The name of the mail in the log; reveals nothing about a person. */
  kind: string
}

/** The SMTP server accepted the mail, rejected it for good, or could not be used now. */
export type MailOutcome = 'delivered' | 'refused' | 'unreachable'

export interface Mailer {
  /** Sends a mail in the background. Never blocks and never fails; a mail whose last retry fails is logged. */
  send(mail: Mail): void
  /** Tries once to send a mail, within `sendTimeout`. For callers that keep the mail and retry themselves. */
  try(mail: Mail): Promise<MailOutcome>
  /** Runs work that may lead to a mail, after the response to the request has been sent. Logs failures. */
  afterwards(work: () => Promise<unknown>): void
  /** Tries once more to send waiting mails, and gives up after `timeout` milliseconds. */
  close(timeout: number): Promise<void>
}

interface MailerSettings {
  /** `smtp://user:password@host:587` or `smtps://…`; the query may contain further options of nodemailer. */
  url: string
  /** The sender's address. */
  from: string
}

const second = 1_000
/** The most milliseconds that one try may take; some servers make strangers wait on purpose. */
export const sendTimeout = 30 * second
// Milliseconds without tries after a server did not respond. Waiting mail fails at once during that time.
const pauseAfterSilence = 30 * second
// Milliseconds between tries, for a brief hiccup, a restart, and an outage that ends soon.
const retryDelays = [second, 10 * second, 60 * second, 300 * second]
// The most mails being sent at once. More than that does not come from people, and must not fill the memory.
const maxUnderWay = 200

/** Opens a mailer over SMTP. Unsent mail is kept only in memory: if a link never arrives, the person requests it again. */
export function openMailer(
  { url, from }: MailerSettings,
  log: Logger,
  clock: () => Instant = Date.now,
  timeout = sendTimeout,
): Mailer {
  const transport = createTransport(
    transportTo(url),
    // Keeps automatic replies, such as holiday notices, from being sent back.
    { from, headers: { 'Auto-Submitted': 'auto-generated' } },
  )
  const underWay = new Set<Promise<void>>()
  const closing = new AbortController()
  const cutOff = new AbortController()
  let silentUntil: Instant = 0

  function track(work: Promise<void>): void {
    underWay.add(work)
    void work.finally(() => underWay.delete(work))
  }

  async function deliver(mail: Mail): Promise<void> {
    for (let tries = 0; ; tries++) {
      const failure = await attempt(mail)
      if (failure === undefined) return
      const wait = isFinal(failure) || closing.signal.aborted ? undefined : retryDelays[tries]
      const logged = logFields(mail, failure)
      if (wait === undefined) return log.error(logged, 'A mail could not be sent')
      log.warn(logged, 'A mail could not be sent yet; it is tried again')
      await pause(wait, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }

  async function attempt({ to, subject, text, html }: Mail): Promise<unknown> {
    try {
      // The envelope is passed separately, so that no header can add a recipient.
      const envelope = { from, to: [to] }
      const addressed = { name: '', address: to }
      // The timeouts above each cover one step, and a slow server can take many steps.
      const signal = AbortSignal.any([cutOff.signal, AbortSignal.timeout(timeout)])
      await transport.sendMail({ to: addressed, envelope, subject, text, html, signal })
      return undefined
    } catch (error) {
      return error
    }
  }

  async function allSent(): Promise<void> {
    // Work in `afterwards` may lead to more mail, which counts too.
    while (underWay.size > 0) await Promise.all(underWay)
  }

  return {
    send(mail) {
      if (!isOneAddress(mail.to)) return log.error({ mail: mail.kind }, 'A mail has no address to go to')
      if (underWay.size >= maxUnderWay) return log.error({ mail: mail.kind }, 'Too much mail is under way')
      track(deliver(mail))
    },
    async try(mail) {
      if (!isOneAddress(mail.to)) {
        log.error({ mail: mail.kind }, 'A mail has no address to go to')
        return 'refused'
      }
      const now = clock()
      // A longer pause was begun before the clock was set back, and no longer counts.
      if (silentUntil > now && silentUntil <= now + pauseAfterSilence) return 'unreachable'
      // After a pause, only the first mail tries the server: the others wait for its outcome.
      if (silentUntil > 0) silentUntil = now + pauseAfterSilence
      const failure = await attempt(mail)
      const isAnswered = failure === undefined || responseCodeOf(failure) !== undefined
      silentUntil = isAnswered ? 0 : clock() + pauseAfterSilence
      if (failure === undefined) return 'delivered'
      if (isFinal(failure)) {
        log.error(logFields(mail, failure), 'A mail could not be sent')
        return 'refused'
      }
      log.warn(logFields(mail, failure), 'A mail could not be sent yet; it is tried again')
      return 'unreachable'
    },
    afterwards(work) {
      const failed = (error: unknown) => log.error({ error: loggable(error) }, 'What leads to a mail failed')
      track(
        soon()
          .then(work)
          .then(() => {}, failed),
      )
    },
    async close(timeout) {
      closing.abort()
      const settled = new AbortController()
      const timingOut = pause(timeout, undefined, { signal: settled.signal }).catch(() => {})
      await Promise.race([allSent(), timingOut])
      settled.abort()
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
  /** The error code, such as EAUTH or ECONNREFUSED. */
  code: string | undefined
  /** The SMTP server's response code, such as 535. */
  response: number | undefined
}

/** Why mail cannot be sent to this server; undefined if it can. Signs in without sending anything. */
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

// Response codes about our sign-in, which the operator can fix.
const signInErrorCodes = new Set([530, 534, 535, 538])

/** Whether the SMTP server would reject the same mail again. */
function isFinal(failure: unknown): boolean {
  const code = responseCodeOf(failure) ?? 0
  return code >= 500 && !signInErrorCodes.has(code)
}

function logFields(mail: Mail, failure: unknown) {
  return { mail: mail.kind, error: { ...loggable(failure), responseCode: responseCodeOf(failure) } }
}

function responseCodeOf(failure: unknown): number | undefined {
  if (!(failure instanceof Error) || !('responseCode' in failure)) return undefined
  return typeof failure.responseCode === 'number' ? failure.responseCode : undefined
}
