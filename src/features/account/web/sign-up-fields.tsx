import type { UseFormReturn } from 'react-hook-form'
import type * as z from 'zod/mini'
import { Field } from '#platform/ui/field.tsx'
import { Input } from '#platform/ui/input.tsx'
import { PasswordInput } from '#platform/ui/password-input.tsx'
import type { signUpFormSchema } from '../account.ts'

interface SignUpFieldsProps {
  form: UseFormReturn<z.input<typeof signUpFormSchema>, unknown, z.output<typeof signUpFormSchema>>
  /** Whoever was invited by their address joins with that one. */
  isEmailFixed?: boolean
}

/** What a new account is made of. */
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
