import type { UseFormRegisterReturn } from 'react-hook-form'
import { Field } from '#platform/ui/controls/field.tsx'
import { PasswordInput } from '#platform/ui/controls/password-input.tsx'

interface NewPasswordFieldsProps {
  // Register the fields in the order of the page, so that the first one with an error gets the focus.
  register(name: 'newPassword' | 'confirmNewPassword'): UseFormRegisterReturn
  errors: {
    newPassword?: { message?: string | undefined } | undefined
    confirmNewPassword?: { message?: string | undefined } | undefined
  }
}

/** The two fields for a new password, which is entered twice. */
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
