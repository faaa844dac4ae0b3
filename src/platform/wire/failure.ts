import * as z from 'zod/mini'

/** The one shape of every failure, the same as better-auth's. */
export const failureSchema = z.object({
  code: z.string(),
  message: z.string(),
  fields: z.optional(z.record(z.string(), z.string())),
})
export type Failure = z.infer<typeof failureSchema>
