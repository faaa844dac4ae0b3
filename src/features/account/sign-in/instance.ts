import * as z from 'zod/mini'

/** What visitors of this Daymark may know about it before they sign in. */
export const instanceSchema = z.object({
  sign_up: z.enum(['open', 'closed']),
  /** Whether it sends mail: if so, a forgotten password can be replaced and an address confirmed. */
  mail: z.boolean(),
})
export type Instance = z.infer<typeof instanceSchema>
