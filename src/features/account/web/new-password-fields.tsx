import type { UseFormRegisterReturn } from 'react-hook-form'
import { Field } from '#platform/ui/field.tsx'
import { PasswordInput } from '#platform/ui/password-input.tsx'

interface NewPasswordFieldsProps {
  // Asked in the order of the page: the first field that is wrong has the focus.
  register(name: 'newPassword' | 'confirmNewPassword'): UseFormRegisterReturn
  errors: {
    newPassword?: { message?: string | undefined } | undefined
    confirmNewPassword?: { message?: string | undefined } | undefined
  }
}

/** A new password, twice. */
export function NewPasswordFields({ register, errors }: NewPasswordFieldsProps) {
  return (
    <>
      <Field label="New Password" error={errors.newPassword?.message}>
        {(control) => <PasswordInput {...control} {...register('newPassword')} autoComplete="new-password" />}
      </Field>
      <Field label="Confirm New Password" error={errors.confirmNewPassword?.message}>
        {(control) => (
          <PasswordInput {...control} {...register('confirmNewPassword')} autoComplete="new-password" />
        )}
      </Field>
    </>
  )
}
