import { renderLetter } from '#platform/mail/letter.ts'
import type { Mail } from '#platform/mail/mailer.ts'
import { bodyOf, type Subject, shortened } from '../reminder/push-message.ts'

/** `baseUrl` is the public origin of the app, used for the link. */
export function reminderMail(to: { name: string; email: string }, subject: Subject, baseUrl: string): Mail {
  const title = shortened(subject.title.replace(/\s+/g, ' '))
  const body = bodyOf(subject)
  const page = subject.kind === 'habit' ? '/habits' : '/todos'
  return {
    kind: 'reminder',
    to: to.email,
    subject: title,
    ...renderLetter(to.name, {
      before: `${title}: ${body.charAt(0).toLowerCase()}${body.slice(1)}.`,
      label: 'Open Daymark',
      link: new URL(page, baseUrl).href,
      after:
        "You're receiving this email because you turned on email reminders. To turn them off, go to Settings in Daymark.",
    }),
  }
}
