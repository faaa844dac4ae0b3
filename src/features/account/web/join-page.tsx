import { zodResolver } from '@hookform/resolvers/zod'
import { Navigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { type Trouble, troubleInWords } from '#platform/sync/trouble.ts'
import { Button } from '#platform/ui/button.tsx'
import { LoadingScreen } from '#platform/ui/spinner.tsx'
import { signUpFormSchema } from '../account.ts'
import type { Invitation } from '../invitation.ts'
import { AccountForm } from './account-form.tsx'
import { AccountPage, TextLink } from './account-page.tsx'
import { isBadToken, lookAtInvitation, signUpInvited } from './auth-calls.ts'
import { Outcome, useMailedToken } from './mailed-page.tsx'
import { SignUpFields } from './sign-up-fields.tsx'

type Step =
  | { name: 'loading' | 'bad-link' | 'signed-in' }
  | { name: 'not-read'; trouble: Trouble }
  | { name: 'invited'; invitation: Invitation }

/** Where the link of an invitation leads, whoever else may sign up here. */
export function JoinPage() {
  const token = useMailedToken()
  const [step, setStep] = useState<Step>({ name: token === '' ? 'bad-link' : 'loading' })
  const isLoading = step.name === 'loading'

  useEffect(() => {
    if (!isLoading) return
    let isLeft = false
    void lookAtInvitation(token).then((answer) => {
      if (isLeft) return
      if (answer.ok) setStep({ name: 'invited', invitation: answer.invitation })
      else setStep(isBadToken(answer) ? { name: 'bad-link' } : { name: 'not-read', trouble: answer.trouble })
    })
    return () => {
      isLeft = true
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
          <p>{troubleInWords(step.trouble)} Your invitation still works.</p>
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
        const answer = await signUpInvited({ token, name, email, password })
        if (isBadToken(answer)) onBadToken()
        return answer
      }}
      onDone={onJoined}
      submitLabel="Join"
      submittingLabel="Joining..."
    >
      <SignUpFields form={form} isEmailFixed={invitation.email !== undefined} />
    </AccountForm>
  )
}
