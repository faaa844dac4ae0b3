import type { UseFormRegisterReturn } from 'react-hook-form'
import { Field } from '#platform/ui/field.tsx'
import { PasswordInput } from '#platform/ui/password-input.tsx'

interface NewPasswordFieldsProps {
  newPassword: UseFormRegisterReturn
  confirmation: UseFormRegisterReturn
  errors: {
    newPassword?: { message?: string | undefined } | undefined
    confirmNewPassword?: { message?: string | undefined } | undefined
  }
}

/** A new password, twice. */
export function NewPasswordFields({ newPassword, confirmation, errors }: NewPasswordFieldsProps) {
  return (
    <>
      <Field label="New Password" error={errors.newPassword?.message}>
        {(control) => <PasswordInput {...control} {...newPassword} autoComplete="new-password" />}
      </Field>
      <Field label="Confirm New Password" error={errors.confirmNewPassword?.message}>
        {(control) => <PasswordInput {...control} {...confirmation} autoComplete="new-password" />}
      </Field>
    </>
  )
}
