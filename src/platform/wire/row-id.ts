import * as z from 'zod/mini'

/** Ids are UUIDv7 and unique per user. A client may generate them, so that a create sent twice makes only one row. */
export const rowIdSchema = z.pipe(
  z.uuidv7('Expected a UUIDv7'),
  z.transform((id) => id.toLowerCase()),
)
