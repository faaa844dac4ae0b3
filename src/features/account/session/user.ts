import * as z from 'zod/mini'

/** The signed-in person, as the session response describes them. */
export const userSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  /** Whether the person followed the link in a mail to the address. */
  emailVerified: z.boolean(),
  image: z.nullish(z.string()),
})
export type User = z.infer<typeof userSchema>
