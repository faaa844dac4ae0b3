import * as z from 'zod/mini'

/** The shape of every failure, the same as in better-auth. */
export const failureSchema = z.object({
  code: z.string(),
  message: z.string(),
  fields: z.optional(z.record(z.string(), z.string())),
})
export type Failure = z.infer<typeof failureSchema>
