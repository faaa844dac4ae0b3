import { zodResolver } from '@hookform/resolvers/zod'
import { Link, Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { newPasswordFormSchema, type SignUpFinish } from '#features/account/mail/account-by-mail.ts'
import { isBadToken, MailedPage, Outcome, useMailedToken } from '#features/account/mail/web/mailed-page.tsx'
import { NewPasswordFields } from '#features/account/password/web/new-password-fields.tsx'
import type { User } from '#features/account/session/user.ts'
import { type AuthResponse, post } from '#features/account/session/web/auth-request.ts'
import { AccountForm } from '#features/account/sign-in/web/account-form.tsx'
import { AccountPage, TextLink } from '#features/account/sign-in/web/account-page.tsx'
import { buttonLook } from '#platform/ui/controls/button.tsx'

type Step =
  | { name: 'confirm' | 'signed-in' | 'bad-link' }
  /** The sign-up began in another browser, perhaps a stranger's, so its password does not count. */
  | { name: 'choose-password'; email: string }

/** The page that the link in the mail leads to. Finishing takes a button press, because mail scanners open links, too. */
export function FinishSignUpPage() {
  const token = useMailedToken()
  const [step, setStep] = useState<Step>({ name: token === '' ? 'bad-link' : 'confirm' })
  if (step.name === 'signed-in') return <Navigate to="/todos" replace />

  const finish = async (newPassword?: string) => {
    const response = await finishSignUp({ token, ...(newPassword !== undefined && { newPassword }) })
    const next = stepAfter(response)
    if (next) setStep(next)
    return response
  }
  const onDone = (_: object, user: User | undefined) => {
    if (user) setStep({ name: 'signed-in' })
  }
  return (
    <MailedPage>
      <AccountPage
        title="Finish signing up"
        subtitle={subtitleOf(step)}
        footer={
          <>
            Already have an account? <TextLink to="/sign-in">Sign in</TextLink>
          </>
        }
      >
        {step.name === 'bad-link' && (
          <Outcome>
            <p className="font-medium text-body text-ink">This link no longer works.</p>
            <p>It has already been used or has expired.</p>
            <Link className={buttonLook({ className: 'mt-5' })} to="/sign-up">
              Sign up again
            </Link>
          </Outcome>
        )}
        {step.name === 'confirm' && <ConfirmForm send={finish} onDone={onDone} />}
        {step.name === 'choose-password' && <ChoosePasswordForm send={finish} onDone={onDone} />}
      </AccountPage>
    </MailedPage>
  )
}

/**
 * Uses the token of a sign-up mail. Returns who is signed in now. If the sign-up began in another browser, returns its email
 * instead: then the request has to be repeated with a new password.
 */
function finishSignUp(finish: SignUpFinish): Promise<AuthResponse> {
  return post('/api/auth/sign-up/finish', finish)
}

function stepAfter(response: AuthResponse): Step | undefined {
  if (isBadToken(response)) return { name: 'bad-link' }
  if (response.ok && response.email !== undefined) return { name: 'choose-password', email: response.email }
  return undefined
}

function subtitleOf(step: Step): string | undefined {
  if (step.name === 'confirm') return 'Confirm that this address is yours'
  return step.name === 'choose-password' ? `Choose a password for ${step.email}` : undefined
}

interface StepProps<Sent extends string[]> {
  send: (...sent: Sent) => Promise<AuthResponse>
  onDone: (values: object, user: User | undefined) => void
}

function ConfirmForm({ send, onDone }: StepProps<[]>) {
  return (
    <AccountForm
      form={useForm()}
      names={[]}
      send={() => send()}
      onDone={onDone}
      submitLabel="Finish signing up"
      submittingLabel="Finishing..."
    />
  )
}

function ChoosePasswordForm({ send, onDone }: StepProps<[newPassword: string]>) {
  const form = useForm({
    resolver: zodResolver(newPasswordFormSchema),
    defaultValues: { newPassword: '', confirmNewPassword: '' },
  })
  const { register } = form
  const { errors } = form.formState
  return (
    <>
      <Outcome>
        <p className="mb-5">
          You started signing up in another browser. To keep your account secure, choose a new password here.
        </p>
      </Outcome>
      <AccountForm
        form={form}
        names={['newPassword', 'confirmNewPassword']}
        send={({ newPassword }) => send(newPassword)}
        onDone={onDone}
        submitLabel="Finish signing up"
        submittingLabel="Finishing..."
      >
        <NewPasswordFields
          register={(name) => register(name, { deps: 'confirmNewPassword' })}
          errors={errors}
        />
      </AccountForm>
    </>
  )
}
