import type { TooManyRows } from '#platform/database/row-limits.ts'
import { type Refusal, refuse } from './refusal.ts'

/** Sent again it would be refused again, so no device goes on trying. */
export function refuseTooManyRows({ message }: TooManyRows): Refusal {
  return refuse(422, 'TOO_MANY_ROWS', message)
}
