import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useSession } from '#features/account/session/web/session.ts'
import { type SignUp, signUpFormSchema } from '#features/account/sign-in/account.ts'
import { AccountForm } from '#features/account/sign-in/web/account-form.tsx'
import { AccountPage, TextLink } from '#features/account/sign-in/web/account-page.tsx'
import { GoToStart } from '#features/account/sign-in/web/go-to-start.tsx'
import { LoadingScreen } from '#platform/ui/signs/spinner.tsx'
import { CheckYourMail } from './check-your-mail.tsx'
import { signUp } from './sign-up-call.ts'
import { SignUpFields } from './sign-up-fields.tsx'

export function SignUpPage() {
  const session = useSession()
  const [mailed, setMailed] = useState<SignUp>()
  if (session.status === 'loading') return <LoadingScreen />
  if (session.status === 'signed-in') return <GoToStart account={session.user.id} />
  return (
    <AccountPage
      title="Create an Account"
      subtitle={mailed ? undefined : 'Sign up to get started'}
      footer={
        <>
          Already have an account? <TextLink to="/sign-in">Sign in</TextLink>
        </>
      }
    >
      {mailed ? (
        <CheckYourMail account={mailed} onAnotherAddress={() => setMailed(undefined)} />
      ) : (
        <SignUpForm onMailed={setMailed} />
      )}
    </AccountPage>
  )
}

function SignUpForm({ onMailed }: { onMailed: (account: SignUp) => void }) {
  const form = useForm({
    resolver: zodResolver(signUpFormSchema),
    defaultValues: { name: '', email: '', password: '', confirmPassword: '' },
  })
  return (
    <AccountForm
      form={form}
      names={['name', 'email', 'password', 'confirmPassword']}
      send={({ name, email, password }) => signUp({ name, email, password })}
      onDone={({ name, email, password }, user) => {
        if (!user) onMailed({ name, email, password })
      }}
      submitLabel="Sign Up"
      submittingLabel="Creating account..."
    >
      <SignUpFields form={form} />
    </AccountForm>
  )
}
