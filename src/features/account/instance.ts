import * as z from 'zod/mini'

/** What whoever comes to this Daymark may know of it before signing in. */
export const instanceSchema = z.object({
  sign_up: z.enum(['open', 'closed']),
  /** Whether it sends mail: then a forgotten password can be replaced, and an address confirmed. */
  mail: z.boolean(),
})
export type Instance = z.infer<typeof instanceSchema>
