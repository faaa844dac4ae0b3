import * as z from 'zod/mini'
import { signUpSchema } from '../sign-in/account.ts'

// Requests that send a mail or follow a link in one. Email and password have the rules and messages of sign-up.

const { email, password } = signUpSchema.shape

/** The request for a mail to an address, whether or not the address has an account. */
export const mailRequestSchema = z.object({ email })
export type MailRequest = z.infer<typeof mailRequestSchema>

export const passwordResetSchema = z.object({ newPassword: password, token: z.string() })
export type PasswordReset = z.infer<typeof passwordResetSchema>

/** `newPassword` is needed if the sign-up began in another browser. */
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
      // Report a mismatch together with other problems, but not when the confirmation itself is too short.
      when: ({ value }) => confirmationSchema.safeParse(value).success,
    }),
  )
