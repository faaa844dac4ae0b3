import type { TooManyRows } from '#platform/database/row-limits.ts'
import { type ErrorResponse, errorResponse } from '../request/error-response.ts'

/** Responds with a 422, since a retry would fail the same way: devices stop retrying. */
export function refuseTooManyRows({ message }: TooManyRows): ErrorResponse {
  return errorResponse(422, 'TOO_MANY_ROWS', message)
}
