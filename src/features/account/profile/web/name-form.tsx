import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { EmailVerification } from '#features/account/mail/web/email-verification.tsx'
import type { User } from '#features/account/session/user.ts'
import { type AuthResponse, post } from '#features/account/session/web/auth-request.ts'
import { useRereadSession } from '#features/account/session/web/session.ts'
import { useFailureToast } from '#features/account/session/web/use-failure-toast.ts'
import { profileFormSchema } from '#features/account/sign-in/account.ts'
import { useDraft } from '#platform/browser/drafts/use-draft.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Field } from '#platform/ui/controls/field.tsx'
import { Input } from '#platform/ui/controls/input.tsx'
import { toast } from '#platform/ui/toasts/toast.ts'

interface NameFormProps {
  user: User
  /** Whether another button is the main one, so that this form's button is less prominent. */
  quiet: boolean
}

export function NameForm({ user, quiet }: NameFormProps) {
  const rereadSession = useRereadSession()
  const showFailure = useFailureToast()
  const draft = useDraft(user.name)
  const form = useForm({
    resolver: zodResolver(profileFormSchema),
    defaultValues: { name: user.name },
  })
  const { isSubmitting: saving, errors } = form.formState

  useEffect(() => {
    if (form.getValues('name') !== draft.value) form.setValue('name', draft.value)
  }, [draft.value, form])

  const save = form.handleSubmit(async ({ name }) => {
    if (name === draft.from) {
      draft.reset()
      toast('No changes to save')
      return
    }
    draft.change(name)
    const response = await saveName(user.id, name)
    if (!response.ok) {
      const problem = response.failure?.fields?.name
      if (problem) form.setError('name', { type: 'server', message: problem }, { shouldFocus: true })
      return showFailure('Failed to update profile', response)
    }
    await rereadSession()
    draft.reset()
    toast.success('Profile updated successfully')
  })

  return (
    <form noValidate onSubmit={save} className="mt-6">
      <div className="grid gap-x-4 gap-y-5 @[28rem]:grid-cols-2">
        <Field label="Full Name" error={errors.name?.message}>
          {(control) => (
            <Input
              {...control}
              {...form.register('name', { onChange: (event) => draft.change(event.target.value) })}
              placeholder="Enter your full name"
              autoComplete="name"
              autoCapitalize="words"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label="Email Address" hint="This is your login email">
          {(control) => <Input {...control} value={user.email} readOnly autoComplete="off" />}
        </Field>
      </div>
      <div className="mt-3 empty:hidden">
        <EmailVerification />
      </div>
      <div className="mt-3 flex justify-end">
        <Button type="submit" variant={quiet ? 'secondary' : 'primary'} busy={saving}>
          {saving ? 'Saving...' : 'Save Changes'}
        </Button>
      </div>
    </form>
  )
}

function saveName(account: string, name: string): Promise<AuthResponse> {
  return post('/api/auth/update-user', { name }, account)
}
