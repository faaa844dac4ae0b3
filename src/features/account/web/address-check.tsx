import { CircleAlert, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#platform/ui/button.tsx'
import { sendVerificationEmail } from './auth-calls.ts'
import { useInstance } from './instance.ts'
import { useSession } from './session.ts'

type Asking = { status: 'not-asked' | 'asking' | 'sent' } | { status: 'failed'; reason: string | undefined }

/**
 * Whether the address of whoever is signed in is confirmed, with the way to be sent the mail again. Stands under the
 * address; nothing is there where no mail is sent.
 */
export function AddressCheck() {
  const session = useSession()
  const instance = useInstance()
  const [asking, setAsking] = useState<Asking>({ status: 'not-asked' })
  if (!instance?.mail || session.status !== 'signed-in') return null
  const { email, emailVerified } = session.user
  // What a device remembers from before may not say.
  if (emailVerified === undefined) return null
  if (emailVerified) {
    return (
      <p className="flex items-center gap-1.5 text-control text-ink-2">
        <CircleCheck size={14} className="shrink-0" />
        This address is confirmed.
      </p>
    )
  }

  const ask = async () => {
    setAsking({ status: 'asking' })
    const answer = await sendVerificationEmail({ email })
    if (answer.ok) return setAsking({ status: 'sent' })
    console.warn("The email couldn't be sent", answer.failure)
    setAsking({ status: 'failed', reason: answer.failure?.message })
  }
  const busy = asking.status === 'asking'

  return (
    <div className="grid justify-items-start gap-2 text-control text-ink-2">
      <p>This address isn't confirmed yet. Follow the link in the email we sent you.</p>
      <Button variant="secondary" busy={busy} onClick={ask}>
        {busy ? 'Sending...' : 'Resend email'}
      </Button>
      <p role="status" className="wrap-anywhere empty:hidden">
        {asking.status === 'sent' && `An email is on its way to ${email}. The link works for 24 hours.`}
      </p>
      {asking.status === 'failed' && (
        <p role="alert" className="flex gap-1.5 text-danger">
          <CircleAlert size={14} className="mt-[3px] shrink-0" />
          <span>The email couldn't be sent. {asking.reason ?? 'Please try again.'}</span>
        </p>
      )}
    </div>
  )
}
