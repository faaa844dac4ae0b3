import * as z from 'zod/mini'

/** What visitors may know about this server before they sign in. */
export const instanceSchema = z.object({
  sign_up: z.enum(['open', 'closed']),
  /** Whether this server sends mail. If so, a forgotten password can be replaced and an address confirmed. */
  mail: z.boolean(),
})
export type Instance = z.infer<typeof instanceSchema>
