import type { UseFormReturn } from 'react-hook-form'
import type * as z from 'zod/mini'
import type { signUpFormSchema } from '#features/account/sign-in/account.ts'
import { Field } from '#platform/ui/controls/field.tsx'
import { Input } from '#platform/ui/controls/input.tsx'
import { PasswordInput } from '#platform/ui/controls/password-input.tsx'

interface SignUpFieldsProps {
  form: UseFormReturn<z.input<typeof signUpFormSchema>, unknown, z.output<typeof signUpFormSchema>>
  /** Whether the invitation names an email, which then cannot be changed. */
  isEmailFixed?: boolean
}

/** The fields of the sign-up form. */
export function SignUpFields({ form, isEmailFixed = false }: SignUpFieldsProps) {
  const { register } = form
  const { errors } = form.formState
  return (
    <>
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
            readOnly={isEmailFixed}
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
    </>
  )
}
