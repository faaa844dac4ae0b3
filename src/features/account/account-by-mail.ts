import * as z from 'zod/mini'
import { signUpSchema } from './account.ts'

// What is done through a link in a mail. Rules and messages of email and password are those of sign-up.

const { email, password } = signUpSchema.shape

/** Asks for a mail to an address, whether it has an account or not. */
export const mailRequestSchema = z.object({ email })
export type MailRequest = z.infer<typeof mailRequestSchema>

export const passwordResetSchema = z.object({ newPassword: password, token: z.string() })
export type PasswordReset = z.infer<typeof passwordResetSchema>

/** A new password where the sign-up was begun in another browser. */
export const signUpFinishSchema = z.object({ token: z.string(), newPassword: z.optional(password) })
export type SignUpFinish = z.infer<typeof signUpFinishSchema>

const confirmationSchema = z.object({
  newPassword: z.string(),
  confirmNewPassword: z.string().check(z.minLength(8)),
})

export const newPasswordFormSchema = z
  .object({
    newPassword: password,
    confirmNewPassword: z.string().check(z.minLength(8, 'Password must be at least 8 characters long')),
  })
  .check(
    z.refine((form) => form.newPassword === form.confirmNewPassword, {
      path: ['confirmNewPassword'],
      message: "Passwords don't match",
      // Told together with what else is wrong, but not on top of a confirmation that is too short.
      when: ({ value }) => confirmationSchema.safeParse(value).success,
    }),
  )
