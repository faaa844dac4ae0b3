import * as z from 'zod/mini'
import { signUpSchema } from '../sign-in/account.ts'

/** What an invitation says before it is used: the name and email of the invited person, if it is for somebody in particular. */
export const invitationSchema = z.object({
  email: z.optional(z.string()),
  name: z.optional(z.string()),
})
export type Invitation = z.infer<typeof invitationSchema>

export const invitationTokenSchema = z.object({ token: z.string() })

/** A sign-up through an invitation. Rules and messages are those of sign-up. */
export const invitedSignUpSchema = z.extend(signUpSchema, { token: z.string() })
export type InvitedSignUp = z.infer<typeof invitedSignUpSchema>
