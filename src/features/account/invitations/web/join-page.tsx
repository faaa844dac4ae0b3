import { zodResolver } from '@hookform/resolvers/zod'
import { Navigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { isBadToken, Outcome, useMailedToken } from '#features/account/mail/web/mailed-page.tsx'
import { type AuthResponse, type Failed, post } from '#features/account/session/web/auth-request.ts'
import { signUpFormSchema } from '#features/account/sign-in/account.ts'
import { AccountForm } from '#features/account/sign-in/web/account-form.tsx'
import { AccountPage, TextLink } from '#features/account/sign-in/web/account-page.tsx'
import { SignUpFields } from '#features/account/sign-up/web/sign-up-fields.tsx'
import { formatRequestProblem, type RequestProblem } from '#platform/sync/network/request-problem.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { LoadingScreen } from '#platform/ui/signs/spinner.tsx'
import type { Invitation, InvitedSignUp } from '../invitation.ts'

type Step =
  | { name: 'loading' | 'bad-link' | 'signed-in' }
  | { name: 'not-read'; problem: RequestProblem }
  | { name: 'invited'; invitation: Invitation }

/** The page that an invitation's link leads to. It works even if sign-up is closed. */
export function JoinPage() {
  const token = useMailedToken()
  const [step, setStep] = useState<Step>({ name: token === '' ? 'bad-link' : 'loading' })
  const isLoading = step.name === 'loading'

  useEffect(() => {
    if (!isLoading) return
    let isCancelled = false
    void readInvitation(token).then((response) => {
      if (isCancelled) return
      if (response.ok) setStep({ name: 'invited', invitation: response.invitation })
      else
        setStep(isBadToken(response) ? { name: 'bad-link' } : { name: 'not-read', problem: response.problem })
    })
    return () => {
      isCancelled = true
    }
  }, [token, isLoading])

  if (step.name === 'loading') return <LoadingScreen />
  if (step.name === 'signed-in') return <Navigate to="/todos" replace />
  return (
    <AccountPage
      title="Join Daymark"
      {...(step.name === 'invited' && { subtitle: subtitleFor(step.invitation) })}
      footer={
        <>
          Already have an account? <TextLink to="/sign-in">Sign in</TextLink>
        </>
      }
    >
      {step.name === 'bad-link' && (
        <Outcome>
          <p className="font-medium text-body text-ink">This invitation no longer works.</p>
          <p>It has already been used or has expired. Ask for a new one.</p>
        </Outcome>
      )}
      {step.name === 'not-read' && (
        <Outcome>
          <p className="font-medium text-body text-ink">Your invitation couldn't be checked.</p>
          <p>{formatRequestProblem(step.problem)} Your invitation still works.</p>
          <Button className="mt-5" onClick={() => setStep({ name: 'loading' })}>
            Try again
          </Button>
        </Outcome>
      )}
      {step.name === 'invited' && (
        <JoinForm
          token={token}
          invitation={step.invitation}
          onBadToken={() => setStep({ name: 'bad-link' })}
          onJoined={() => setStep({ name: 'signed-in' })}
        />
      )}
    </AccountPage>
  )
}

/** Reads whom the invitation is for, without using it up. */
async function readInvitation(token: string): Promise<{ ok: true; invitation: Invitation } | Failed> {
  const response = await post('/api/auth/invitation', { token })
  if (!response.ok) return response
  const { name, email } = response
  return {
    ok: true,
    invitation: { ...(name !== undefined && { name }), ...(email !== undefined && { email }) },
  }
}

function subtitleFor({ email }: Invitation): string {
  return email === undefined ? "You've been invited to Daymark" : `You're invited as ${email}`
}

interface JoinFormProps {
  token: string
  invitation: Invitation
  onBadToken: () => void
  onJoined: () => void
}

function JoinForm({ token, invitation, onBadToken, onJoined }: JoinFormProps) {
  const { name = '', email = '' } = invitation
  const form = useForm({
    resolver: zodResolver(signUpFormSchema),
    defaultValues: { name, email, password: '', confirmPassword: '' },
  })
  return (
    <AccountForm
      form={form}
      names={['name', 'email', 'password', 'confirmPassword']}
      send={async ({ name, email, password }) => {
        const response = await signUpInvited({ token, name, email, password })
        if (isBadToken(response)) onBadToken()
        return response
      }}
      onDone={onJoined}
      submitLabel="Join"
      submittingLabel="Joining..."
    >
      <SignUpFields form={form} isEmailFixed={invitation.email !== undefined} />
    </AccountForm>
  )
}

/** Uses up the invitation's token, creates the account and signs in. */
function signUpInvited(account: InvitedSignUp): Promise<AuthResponse> {
  return post('/api/auth/sign-up/invited', account)
}
