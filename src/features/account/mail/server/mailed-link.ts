import * as z from 'zod/mini'
import { errorResponse } from '#platform/http/request/error-response.ts'

/** How often links from mails may be followed. */
export const linkLimit = { name: 'mail-link', max: 10, seconds: 60 }

export const doneSchema = z.looseObject({ status: z.literal(true) })
export const done = { status: 200, body: { status: true } } as const

export const badToken = errorResponse(
  400,
  'INVALID_TOKEN',
  'This link no longer works: it has already been used or has expired. Request a new one.',
)
