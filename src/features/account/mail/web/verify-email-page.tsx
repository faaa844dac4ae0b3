import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type AuthResponse, get } from '#features/account/session/web/auth-request.ts'
import { useSession } from '#features/account/session/web/session.ts'
import { AccountForm } from '#features/account/sign-in/web/account-form.tsx'
import { AccountPage, TextLink } from '#features/account/sign-in/web/account-page.tsx'
import { isBadToken, MailedPage, Outcome, useMailedToken } from './mailed-page.tsx'

/** The page that the link in the mail leads to. Confirming takes a button press, because mail scanners open links, too. */
export function VerifyEmailPage() {
  const token = useMailedToken()
  const [outcome, setOutcome] = useState<'confirmed' | 'bad' | undefined>(token === '' ? 'bad' : undefined)
  return (
    <MailedPage>
      <AccountPage
        title="Confirm your email address"
        subtitle={outcome ? undefined : 'Confirm that this address is yours'}
        footer={<WayOn />}
      >
        {outcome === 'confirmed' && (
          <Outcome>
            <p className="font-medium text-body text-ink">Your email address is confirmed.</p>
            <p>You're all set.</p>
          </Outcome>
        )}
        {outcome === 'bad' && (
          <Outcome>
            <p className="font-medium text-body text-ink">This link no longer works.</p>
            <p>
              It has expired or is incomplete. Request a new one in your{' '}
              <TextLink to="/settings">settings</TextLink>.
            </p>
          </Outcome>
        )}
        {outcome === undefined && <ConfirmForm token={token} onOutcome={setOutcome} />}
      </AccountPage>
    </MailedPage>
  )
}

function WayOn() {
  const { status } = useSession()
  if (status === 'signed-in') return <TextLink to="/todos">Go to your tasks</TextLink>
  return <TextLink to="/sign-in">Sign in</TextLink>
}

interface ConfirmFormProps {
  token: string
  onOutcome: (outcome: 'confirmed' | 'bad') => void
}

function ConfirmForm({ token, onOutcome }: ConfirmFormProps) {
  const form = useForm()
  return (
    <AccountForm
      form={form}
      names={[]}
      send={async () => {
        const response = await verifyEmail(token)
        if (isBadToken(response)) onOutcome('bad')
        // Opening the link a second time finds the address confirmed already.
        return isConfirmedAlready(response) ? { ok: true, user: undefined } : response
      }}
      onDone={() => onOutcome('confirmed')}
      submitLabel="Confirm address"
      submittingLabel="Confirming..."
    />
  )
}

function verifyEmail(token: string): Promise<AuthResponse> {
  return get(`/api/auth/verify-email?${new URLSearchParams({ token })}`)
}

function isConfirmedAlready(response: AuthResponse): boolean {
  return !response.ok && response.failure?.code === 'EMAIL_ALREADY_VERIFIED'
}
