import { CircleAlert, CircleCheck } from 'lucide-react'
import { use, useState } from 'react'
import { type AuthResponse, post } from '#features/account/session/web/auth-request.ts'
import { ShownUserContext } from '#features/account/session/web/session.ts'
import { useInstance } from '#features/account/sign-in/web/use-instance.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import type { MailRequest } from '../account-by-mail.ts'

type SendState =
  | { status: 'not-asked' | 'asking' | 'sent' }
  | { status: 'failed'; reason: string | undefined }

/**
 * Says whether the signed-in person's address is confirmed, and offers to send the mail again. Shown below the address; renders
 * nothing if this server sends no mail.
 */
export function EmailVerification() {
  const user = use(ShownUserContext)
  const instance = useInstance()
  const [sendState, setSendState] = useState<SendState>({ status: 'not-asked' })
  if (!instance?.mail || !user) return null
  const { email, emailVerified } = user
  if (emailVerified) {
    return (
      <p className="flex items-center gap-1.5 text-control text-ink-2">
        <CircleCheck size={14} className="shrink-0" />
        This address is confirmed.
      </p>
    )
  }

  const send = async () => {
    setSendState({ status: 'asking' })
    const response = await sendVerificationEmail({ email })
    if (response.ok) return setSendState({ status: 'sent' })
    console.warn("The email couldn't be sent", response.failure)
    setSendState({ status: 'failed', reason: response.failure?.message })
  }
  const busy = sendState.status === 'asking'

  return (
    <div className="grid justify-items-start gap-2 text-control text-ink-2">
      <p>This address isn't confirmed yet. Follow the link in the email we sent you.</p>
      <Button variant="secondary" busy={busy} onClick={send}>
        {busy ? 'Sending...' : 'Resend email'}
      </Button>
      <p role="status" className="wrap-anywhere empty:hidden">
        {sendState.status === 'sent' && `An email is on its way to ${email}. The link works for 24 hours.`}
      </p>
      {sendState.status === 'failed' && (
        <p role="alert" className="flex gap-1.5 text-danger">
          <CircleAlert size={14} className="mt-[3px] shrink-0" />
          <span>The email couldn't be sent. {sendState.reason ?? 'Please try again.'}</span>
        </p>
      )}
    </div>
  )
}

function sendVerificationEmail(request: MailRequest): Promise<AuthResponse> {
  return post('/api/auth/send-verification-email', request)
}
