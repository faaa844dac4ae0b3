import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useRereadDevices } from '#features/account/devices/web/devices.ts'
import type { User } from '#features/account/session/user.ts'
import { type AuthResponse, post } from '#features/account/session/web/auth-request.ts'
import { useFailureToast } from '#features/account/session/web/use-failure-toast.ts'
import { passwordChangeFormSchema } from '#features/account/sign-in/account.ts'
import { Button } from '#platform/ui/controls/button.tsx'
import { Field } from '#platform/ui/controls/field.tsx'
import { PasswordInput } from '#platform/ui/controls/password-input.tsx'
import {
  Dialog,
  DialogClose,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogTitle,
  DialogTrigger,
} from '#platform/ui/overlays/dialog.tsx'
import { toast } from '#platform/ui/toasts/toast.ts'
import { NewPasswordFields } from './new-password-fields.tsx'
import { OwnEmail } from './own-email.tsx'

/** The button and its dialog. Closing the dialog and every response clear the fields. */
export function ChangePassword({ user }: { user: User }) {
  const [open, setOpen] = useState(false)
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="secondary">Change Password</Button>
      </DialogTrigger>
      <DialogContent>
        <DialogTitle>Change Password</DialogTitle>
        <DialogDescription>
          You'll stay signed in here. All other devices will be signed out.
        </DialogDescription>
        <ChangePasswordForm user={user} onChanged={() => setOpen(false)} />
      </DialogContent>
    </Dialog>
  )
}

const blank = { currentPassword: '', newPassword: '', confirmNewPassword: '' }

function ChangePasswordForm({ user, onChanged }: { user: User; onChanged(): void }) {
  const showFailure = useFailureToast()
  const rereadDevices = useRereadDevices(user)
  const form = useForm({ resolver: zodResolver(passwordChangeFormSchema), defaultValues: blank })
  const { register } = form
  const { isSubmitting: sending, errors } = form.formState

  const send = form.handleSubmit(async ({ currentPassword, newPassword }) => {
    const response = await changePassword(user.id, { currentPassword, newPassword })
    // Keep the fields registered, because one of them is about to get the focus.
    form.reset(blank, { keepFieldsRef: true })
    if (response.ok) {
      toast.success('Password changed successfully')
      onChanged()
      return rereadDevices()
    }
    showFailure('Failed to change password', response)
    const { failure } = response
    // The message at the field stays after the toast has gone, and shows where to try again.
    if (failure?.code === 'INVALID_PASSWORD') form.setError('currentPassword', { message: failure.message })
    const guessable = failure?.fields?.newPassword
    if (guessable) form.setError('newPassword', { message: guessable })
    form.setFocus('currentPassword')
  })

  return (
    <form noValidate onSubmit={send} className="mt-6 grid gap-5">
      <OwnEmail user={user} />
      <Field label="Current Password" error={errors.currentPassword?.message}>
        {(control) => (
          <PasswordInput {...control} {...register('currentPassword')} autoComplete="current-password" />
        )}
      </Field>
      <NewPasswordFields
        register={(name) => register(name, { deps: 'confirmNewPassword' })}
        errors={errors}
      />
      <DialogFooter className="mt-1">
        <DialogClose asChild>
          <Button variant="secondary">Cancel</Button>
        </DialogClose>
        <Button type="submit" busy={sending}>
          {sending ? 'Updating...' : 'Update Password'}
        </Button>
      </DialogFooter>
    </form>
  )
}

/** Changes the password, and ends every other sign-in session of the account. */
function changePassword(
  account: string,
  passwords: { currentPassword: string; newPassword: string },
): Promise<AuthResponse> {
  return post('/api/auth/change-password', { ...passwords, revokeOtherSessions: true }, account)
}
