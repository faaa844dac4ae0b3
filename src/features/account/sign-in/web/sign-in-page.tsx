import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { type AuthResponse, post } from '#features/account/session/web/auth-request.ts'
import { useSession } from '#features/account/session/web/session.ts'
import { Field } from '#platform/ui/controls/field.tsx'
import { Input } from '#platform/ui/controls/input.tsx'
import { PasswordInput } from '#platform/ui/controls/password-input.tsx'
import { LoadingScreen } from '#platform/ui/signs/spinner.tsx'
import { type SignIn, signInSchema } from '../account.ts'
import { AccountForm } from './account-form.tsx'
import { AccountPage, TextLink } from './account-page.tsx'
import { GoToStart } from './go-to-start.tsx'
import { learnStartPage } from './learn-start-page.ts'
import { useInstance } from './use-instance.ts'
import { WhySignedOut } from './why-signed-out.tsx'

export function SignInPage() {
  const session = useSession()
  if (session.status === 'loading') return <LoadingScreen />
  if (session.status === 'signed-in') return <GoToStart account={session.user.id} />
  return (
    <AccountPage
      title="Login"
      footer={
        <>
          Don't have an account? <TextLink to="/sign-up">Sign up</TextLink>
          <ForgotPasswordLink />
        </>
      }
    >
      <WhySignedOut />
      <SignInForm />
    </AccountPage>
  )
}

/** Shown only if this server sends mail, because the page does not exist otherwise. */
function ForgotPasswordLink() {
  const instance = useInstance()
  if (!instance?.mail) return null
  return (
    <span className="mt-3 block">
      <TextLink to="/forgot-password">Forgot password?</TextLink>
    </span>
  )
}

function signIn(credentials: SignIn): Promise<AuthResponse> {
  return post('/api/auth/sign-in/email', credentials)
}

async function signInAndLearn(credentials: SignIn): Promise<AuthResponse> {
  const response = await signIn(credentials)
  if (response.ok && response.user) await learnStartPage(response.user.id)
  return response
}

function SignInForm() {
  const form = useForm({
    resolver: zodResolver(signInSchema),
    defaultValues: { email: '', password: '' },
  })
  const { register } = form
  const { errors } = form.formState
  return (
    <AccountForm
      form={form}
      names={['email', 'password']}
      send={signInAndLearn}
      submitLabel="Login"
      submittingLabel="Login..."
    >
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
          <PasswordInput {...control} {...register('password')} autoComplete="current-password" />
        )}
      </Field>
    </AccountForm>
  )
}
