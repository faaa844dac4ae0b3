import * as z from 'zod/mini'

/** A PushSubscription as a browser serializes it to JSON. */
export const subscriptionSchema = z.object({
  endpoint: z
    .string('Expected an address')
    .check(z.maxLength(2_000, 'Expected an address of at most 2,000 characters')),
  keys: z.object({
    p256dh: bytesOf(65, 'Expected a public key of P-256, base64url'),
    auth: bytesOf(16, 'Expected 16 bytes, base64url'),
  }),
})
export type Subscription = z.infer<typeof subscriptionSchema>

function bytesOf(bytes: number, problem: string) {
  return z.string(problem).check(
    z.maxLength(200, problem),
    z.refine((text) => lengthOf(text) === bytes, problem),
  )
}

function lengthOf(base64url: string): number | undefined {
  if (!/^[\w-]+={0,2}$/.test(base64url)) return undefined
  return Math.floor((base64url.replaceAll('=', '').length * 3) / 4)
}
