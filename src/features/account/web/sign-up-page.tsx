import { zodResolver } from '@hookform/resolvers/zod'
import { Navigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { Field } from '#platform/ui/field.tsx'
import { Input } from '#platform/ui/input.tsx'
import { PasswordInput } from '#platform/ui/password-input.tsx'
import { LoadingScreen } from '#platform/ui/spinner.tsx'
import { signUpFormSchema } from '../account.ts'
import { AccountForm } from './account-form.tsx'
import { AccountPage, TextLink } from './account-page.tsx'
import { signUp } from './auth-calls.ts'
import { useSession } from './session.ts'

export function SignUpPage() {
  const { status } = useSession()
  if (status === 'loading') return <LoadingScreen />
  if (status === 'signed-in') return <Navigate to="/todos" replace />
  return (
    <AccountPage
      title="Create an Account"
      subtitle="Sign up to get started"
      footer={
        <>
          Already have an account? <TextLink to="/sign-in">Sign in</TextLink>
        </>
      }
    >
      <SignUpForm />
    </AccountPage>
  )
}

function SignUpForm() {
  const form = useForm({
    resolver: zodResolver(signUpFormSchema),
    defaultValues: { name: '', email: '', password: '', confirmPassword: '' },
  })
  const { register } = form
  const { errors } = form.formState
  return (
    <AccountForm
      form={form}
      names={['name', 'email', 'password', 'confirmPassword']}
      send={({ name, email, password }) => signUp({ name, email, password })}
      submitLabel="Sign Up"
      submittingLabel="Creating account..."
    >
      <Field label="Full Name" error={errors.name?.message}>
        {(control) => (
          <Input
            {...control}
            {...register('name')}
            autoComplete="name"
            autoCapitalize="words"
            spellCheck={false}
          />
        )}
      </Field>
      <Field label="Email" error={errors.email?.message}>
        {(control) => (
          <Input
            {...control}
            {...register('email')}
            type="email"
            autoComplete="username"
            autoCapitalize="off"
          />
        )}
      </Field>
      <Field label="Password" error={errors.password?.message}>
        {(control) => (
          <PasswordInput
            {...control}
            {...register('password', { deps: 'confirmPassword' })}
            autoComplete="new-password"
          />
        )}
      </Field>
      <Field label="Confirm Password" error={errors.confirmPassword?.message}>
        {(control) => (
          <PasswordInput {...control} {...register('confirmPassword')} autoComplete="new-password" />
        )}
      </Field>
    </AccountForm>
  )
}
