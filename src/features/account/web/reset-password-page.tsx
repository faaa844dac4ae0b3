import { zodResolver } from '@hookform/resolvers/zod'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '#platform/ui/button.tsx'
import { toast } from '#platform/ui/toast.ts'
import { passwordResetFormSchema } from '../account-by-mail.ts'
import { AccountForm } from './account-form.tsx'
import { AccountPage, TextLink } from './account-page.tsx'
import { isBadToken, resetPassword } from './auth-calls.ts'
import { MailedPage, Outcome, useMailedToken } from './mailed-page.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'

/** Where the link of the mail leads: a new password, or a new mail when the link is used or old. */
export function ResetPasswordPage() {
  const token = useMailedToken()
  const [bad, setBad] = useState(token === '')
  return (
    <MailedPage>
      <AccountPage
        title="Choose a new password"
        subtitle={bad ? undefined : 'Every browser that is signed in to your account is signed out'}
        footer={
          <>
            Remember the old one? <TextLink to="/sign-in">Sign in</TextLink>
          </>
        }
      >
        {bad ? (
          <Outcome>
            <p className="font-medium text-body text-ink">This link does not work any more.</p>
            <p>It was used already, or it is too old.</p>
            <Button asChild className="mt-5">
              <Link to="/forgot-password">Ask for a new mail</Link>
            </Button>
          </Outcome>
        ) : (
          <NewPasswordForm token={token} onBadToken={() => setBad(true)} />
        )}
      </AccountPage>
    </MailedPage>
  )
}

function NewPasswordForm({ token, onBadToken }: { token: string; onBadToken: () => void }) {
  const navigate = useNavigate()
  const form = useForm({
    resolver: zodResolver(passwordResetFormSchema),
    defaultValues: { newPassword: '', confirmNewPassword: '' },
  })
  const { register } = form
  const { errors } = form.formState
  return (
    <AccountForm
      form={form}
      names={['newPassword', 'confirmNewPassword']}
      send={async ({ newPassword }) => {
        const answer = await resetPassword({ newPassword, token })
        if (isBadToken(answer)) onBadToken()
        return answer
      }}
      onDone={() => {
        toast.success('Password changed successfully', { description: 'Sign in with the new one.' })
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
