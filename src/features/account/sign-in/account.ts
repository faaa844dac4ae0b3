import * as z from 'zod/mini'
import { isStorable } from '#platform/wire/text.ts'

// Every text below comes from the specification; the server responds with the same words as the form.

/**
 * Words of letters in any script, separated by single spaces. Some scripts need an invisible joiner in their spelling:
 * after a combining mark, as in Sinhala, and between Arabic letters, as in Persian.
 */
const namePattern =
  /^\p{L}(?:[\p{L}\p{M}\p{Nd}'._-]|(?<=[\p{M}\p{Script=Arabic}])[\u200c\u200d](?=\p{L})| (?=[\p{L}\p{Nd}'._-]))*$/u

// Lengths are in code points, as zod counts them: server and browsers may disagree on what one character is.
const nameSchema = z.string('Name must be at least 3 characters').check(
  z.trim(),
  z.normalize('NFC'),
  // Phones type U+2019 for an apostrophe. Store one spelling only, so that names can be searched.
  z.overwrite((name) => name.replaceAll('\u2019', "'")),
  z.minLength(3, 'Name must be at least 3 characters'),
  z.maxLength(30, 'Name must not exceed 30 characters'),
  z.regex(namePattern, 'Name must start with a letter and contain only letters, numbers, or dashes'),
)

const emailSchema = z
  .email('Please enter a valid email address')
  .check(z.maxLength(254, 'Please enter a valid email address'))

const passwordMessage = tooShort('Password')
const passwordSchema = passwordSchemaOf('Password')

function passwordSchemaOf(label: string) {
  return z
    .string(tooShort(label))
    .check(
      z.minLength(8, tooShort(label)),
      z.maxLength(128, `${label} must not exceed 128 characters`),
      z.refine(isStorable, `${label} contains characters that can't be stored`),
    )
}

function tooShort(label: string): string {
  return `${label} must be at least 8 characters long`
}

export const signInSchema = z.object({ email: emailSchema, password: passwordSchema })
export type SignIn = z.infer<typeof signInSchema>

export const signUpSchema = z.object({ name: nameSchema, email: emailSchema, password: passwordSchema })
export type SignUp = z.infer<typeof signUpSchema>

const confirmationSchema = z.object({
  password: z.string(),
  confirmPassword: z.string().check(z.minLength(8)),
})

export const signUpFormSchema = z
  .extend(signUpSchema, { confirmPassword: z.string().check(z.minLength(8, passwordMessage)) })
  .check(
    z.refine((form) => form.password === form.confirmPassword, {
      path: ['confirmPassword'],
      message: "Passwords don't match",
      // Report a mismatch together with other problems, but not when the confirmation itself is too short.
      when: ({ value }) => confirmationSchema.safeParse(value).success,
    }),
  )

/** The changes that a profile allows. A picture is a data URL; null removes it. */
export const profileChangeSchema = z
  .object({ name: z.optional(nameSchema), image: z.nullish(z.string()) })
  .check(
    z.refine(({ name, image }) => name !== undefined || image !== undefined, 'There is nothing to change'),
  )

export const profileFormSchema = z.object({ name: nameSchema })

export const passwordChangeSchema = z.object({
  currentPassword: passwordSchemaOf('Current password'),
  newPassword: passwordSchemaOf('New password'),
  revokeOtherSessions: z.optional(z.literal(true, 'A new password always signs out all other devices')),
})

const newPasswordsSchema = z.object({
  newPassword: z.string(),
  confirmNewPassword: z.string().check(z.minLength(8)),
})

export const passwordChangeFormSchema = z
  .extend(z.omit(passwordChangeSchema, { revokeOtherSessions: true }), {
    confirmNewPassword: z.string().check(z.minLength(8, tooShort('Confirm password'))),
  })
  .check(
    z.refine((form) => form.newPassword === form.confirmNewPassword, {
      path: ['confirmNewPassword'],
      message: "Passwords don't match",
      when: ({ value }) => newPasswordsSchema.safeParse(value).success,
    }),
  )

export const accountDeletionSchema = z.object({
  callbackURL: z.optional(z.string()),
  password: z
    .string('Enter your password')
    .check(z.minLength(1, 'Enter your password'), z.maxLength(128, 'Incorrect password.')),
})
