import * as z from 'zod/mini'

/**
 * The schema of a row id. Ids are unique per user. A client may generate them, so that a create sent twice makes only one row:
 * UUIDv7 for rows that a person makes, UUIDv8 for rows that several devices or imports derive from the same facts.
 */
export const rowIdSchema = z.pipe(
  z
    .string('Expected a UUIDv7 or UUIDv8')
    .check(
      z.regex(
        /^[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i,
        'Expected a UUIDv7 or UUIDv8',
      ),
    ),
  z.transform((id) => id.toLowerCase()),
)
