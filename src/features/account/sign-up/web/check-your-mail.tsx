import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { Outcome } from '#features/account/mail/web/mailed-page.tsx'
import type { SignUp } from '#features/account/sign-in/account.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { signUp } from './sign-up-call.ts'

type Sending = { status: 'not-asked' | 'sending' | 'sent' } | { status: 'failed'; reason: string | undefined }

interface CheckYourMailProps {
  account: SignUp
  onAnotherAddress: () => void
}

/**
 * Shown after signing up on a server that sends mail: what is left to do. The text is the same if the address already has an
 * account.
 */
export function CheckYourMail({ account, onAnotherAddress }: CheckYourMailProps) {
  const [sending, setSending] = useState<Sending>({ status: 'not-asked' })
  const busy = sending.status === 'sending'

  const sendAgain = async () => {
    setSending({ status: 'sending' })
    // Request the same sign-up again. The link in the first mail remains valid, too.
    const response = await signUp(account)
    if (response.ok) return setSending({ status: 'sent' })
    console.warn("The email couldn't be resent", response.failure)
    setSending({ status: 'failed', reason: response.failure?.message })
  }

  return (
    <Outcome>
      <p className="wrap-anywhere font-medium text-body text-ink">
        We sent an email to {account.email}. Follow the link in it to finish.
      </p>
      <p>The link works for 24 hours. If nothing arrives, check your spam folder.</p>
      <div className="mt-5 flex flex-wrap gap-3">
        <Button variant="secondary" busy={busy} onClick={sendAgain}>
          {busy ? 'Sending...' : 'Resend email'}
        </Button>
        <Button variant="secondary" disabled={busy} onClick={onAnotherAddress}>
          Use a different address
        </Button>
      </div>
      <p role="status" className="empty:hidden">
        {sending.status === 'sent' &&
          "Another email is on its way, unless we've already sent three to this address in the last hour."}
      </p>
      {sending.status === 'failed' && (
        <p role="alert" className="flex gap-1.5 text-danger">
          <CircleAlert size={14} className="mt-[3px] shrink-0" />
          <span>The email couldn't be resent. {sending.reason ?? 'Please try again.'}</span>
        </p>
      )}
    </Outcome>
  )
}
