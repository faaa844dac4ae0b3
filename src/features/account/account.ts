import * as z from 'zod'
import { isStorable } from '#platform/wire/text.ts'

// Every text below is the specification's own; the server answers with the same words as the form.

const nameSchema = z
  .string('Name must be at least 3 characters')
  .trim()
  .min(3, 'Name must be at least 3 characters')
  .max(30, 'Name must not exceed 30 characters')
  .regex(
    /^\p{L}[\p{L}\p{M}\p{Nd}_-]*$/u,
    'Name must start with a letter and contain only letters, numbers, or dashes',
  )

const emailSchema = z
  .email('Please enter a valid email address')
  .max(254, 'Please enter a valid email address')

const passwordMessage = 'Password must be at least 8 characters long'
const passwordSchema = z
  .string(passwordMessage)
  .min(8, passwordMessage)
  .max(128, 'Password must not exceed 128 characters')
  .refine(isStorable, 'Password contains characters that cannot be stored')

export const signInSchema = z.object({ email: emailSchema, password: passwordSchema })
export type SignIn = z.infer<typeof signInSchema>

export const signUpSchema = z.object({ name: nameSchema, email: emailSchema, password: passwordSchema })
export type SignUp = z.infer<typeof signUpSchema>

const confirmationSchema = z.object({ password: z.string(), confirmPassword: z.string().min(8) })

export const signUpFormSchema = signUpSchema
  .extend({ confirmPassword: z.string().min(8, passwordMessage) })
  .refine((form) => form.password === form.confirmPassword, {
    path: ['confirmPassword'],
    message: "Passwords don't match",
    // Told together with what else is wrong, but not on top of a confirmation that is too short.
    when: ({ value }) => confirmationSchema.safeParse(value).success,
  })

/** What the session says of the signed-in person. */
export const userSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  /** Whether a link in a mail to the address was followed; not known of what a device keeps from before. */
  emailVerified: z.boolean().optional(),
  image: z.string().nullish(),
})
export type User = z.infer<typeof userSchema>
