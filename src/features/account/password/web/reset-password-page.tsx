import { zodResolver } from '@hookform/resolvers/zod'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { newPasswordFormSchema, type PasswordReset } from '#features/account/mail/account-by-mail.ts'
import { isBadToken, Outcome, useMailedToken } from '#features/account/mail/web/mailed-page.tsx'
import { type AuthResponse, post } from '#features/account/session/web/auth-request.ts'
import { AccountForm } from '#features/account/sign-in/web/account-form.tsx'
import { AccountPage, TextLink } from '#features/account/sign-in/web/account-page.tsx'
import { useInstance } from '#features/account/sign-in/web/use-instance.ts'
import { buttonLook } from '#platform/ui/controls/button.tsx'
import { toast } from '#platform/ui/toasts/toast.ts'
import { NewPasswordFields } from './new-password-fields.tsx'

/** The page that a reset link leads to, whether mailed or handed out by the operator. It asks for a new password. */
export function ResetPasswordPage() {
  const token = useMailedToken()
  const [bad, setBad] = useState(token === '')
  return (
    <AccountPage
      title="Choose a new password"
      subtitle={bad ? undefined : "You'll be signed out everywhere"}
      footer={
        <>
          Remembered the old one? <TextLink to="/sign-in">Sign in</TextLink>
        </>
      }
    >
      {bad ? <BadLink /> : <NewPasswordForm token={token} onBadToken={() => setBad(true)} />}
    </AccountPage>
  )
}

function BadLink() {
  const instance = useInstance()
  return (
    <Outcome>
      <p className="font-medium text-body text-ink">This link no longer works.</p>
      <p>It has already been used or has expired.</p>
      {instance?.mail === false && <p>Ask whoever runs this server for a new link.</p>}
      {instance?.mail === true && (
        <Link className={buttonLook({ className: 'mt-5' })} to="/forgot-password">
          Request a new link
        </Link>
      )}
    </Outcome>
  )
}

function NewPasswordForm({ token, onBadToken }: { token: string; onBadToken: () => void }) {
  const navigate = useNavigate()
  const form = useForm({
    resolver: zodResolver(newPasswordFormSchema),
    defaultValues: { newPassword: '', confirmNewPassword: '' },
  })
  const { register } = form
  const { errors } = form.formState
  return (
    <AccountForm
      form={form}
      names={['newPassword', 'confirmNewPassword']}
      send={async ({ newPassword }) => {
        const response = await resetPassword({ newPassword, token })
        if (isBadToken(response)) onBadToken()
        return response
      }}
      onDone={() => {
        toast.success('Password changed successfully', { description: 'Sign in with your new password.' })
        void navigate({ to: '/sign-in', replace: true })
      }}
      submitLabel="Save password"
      submittingLabel="Saving..."
    >
      <NewPasswordFields
        register={(name) => register(name, { deps: 'confirmNewPassword' })}
        errors={errors}
      />
    </AccountForm>
  )
}

function resetPassword(reset: PasswordReset): Promise<AuthResponse> {
  return post('/api/auth/reset-password', reset)
}
