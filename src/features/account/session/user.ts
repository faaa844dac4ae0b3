import * as z from 'zod/mini'

/** What the session says about the signed-in person. */
export const userSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  /** Whether a link in a mail to the address was followed. */
  emailVerified: z.boolean(),
  image: z.nullish(z.string()),
})
export type User = z.infer<typeof userSchema>
