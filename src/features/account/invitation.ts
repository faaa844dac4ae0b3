import * as z from 'zod/mini'
import { signUpSchema } from './account.ts'

/** What is known of an invitation before anybody follows it: whom it is for, where it is for somebody. */
export const invitationSchema = z.object({
  email: z.optional(z.string()),
  name: z.optional(z.string()),
})
export type Invitation = z.infer<typeof invitationSchema>

export const invitationTokenSchema = z.object({ token: z.string() })

/** An account that is made by an invitation: rules and messages are those of sign-up. */
export const invitedSignUpSchema = z.extend(signUpSchema, { token: z.string() })
export type InvitedSignUp = z.infer<typeof invitedSignUpSchema>
