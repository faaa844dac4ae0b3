import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type MailRequest, mailRequestSchema } from '#features/account/mail/account-by-mail.ts'
import { MailedPage, Outcome } from '#features/account/mail/web/mailed-page.tsx'
import { type AuthResponse, post } from '#features/account/session/web/auth-request.ts'
import { AccountForm } from '#features/account/sign-in/web/account-form.tsx'
import { AccountPage, TextLink } from '#features/account/sign-in/web/account-page.tsx'
import { Button } from '#platform/ui/controls/button.tsx'
import { Field } from '#platform/ui/controls/field.tsx'
import { Input } from '#platform/ui/controls/input.tsx'

/** The page for people who forgot their password: it requests a mail with a reset link. */
export function ForgotPasswordPage() {
  const [asked, setAsked] = useState(false)
  return (
    <MailedPage>
      <AccountPage
        title="Forgot your password?"
        subtitle="We'll email you a link to choose a new one"
        footer={
          <>
            Remembered it? <TextLink to="/sign-in">Sign in</TextLink>
          </>
        }
      >
        {asked ? (
          <Outcome>
            <p className="font-medium text-body text-ink">
              If there's an account with this address, an email is on its way.
            </p>
            <p>
              The link works for an hour. If nothing arrives, check your spam folder or try a different
              address. We send at most three emails an hour to the same address.
            </p>
            <Button variant="secondary" onClick={() => setAsked(false)} className="mt-5">
              Try a different address
            </Button>
          </Outcome>
        ) : (
          <AddressForm onAsked={() => setAsked(true)} />
        )}
      </AccountPage>
    </MailedPage>
  )
}

function requestPasswordReset(request: MailRequest): Promise<AuthResponse> {
  return post('/api/auth/request-password-reset', request)
}

function AddressForm({ onAsked }: { onAsked: () => void }) {
  const form = useForm({ resolver: zodResolver(mailRequestSchema), defaultValues: { email: '' } })
  return (
    <AccountForm
      form={form}
      names={['email']}
      send={requestPasswordReset}
      onDone={onAsked}
      submitLabel="Send the link"
      submittingLabel="Sending..."
    >
      <Field label="Email" error={form.formState.errors.email?.message}>
        {(control) => (
          <Input
            {...control}
            {...form.register('email')}
            type="email"
            autoComplete="username"
            autoCapitalize="off"
          />
        )}
      </Field>
    </AccountForm>
  )
}
