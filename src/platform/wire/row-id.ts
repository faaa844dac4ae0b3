import * as z from 'zod/mini'

/** Ids are UUIDv7, unique within their user; a client may make them, so that a create sent twice exists once. */
export const rowIdSchema = z.pipe(
  z.uuidv7('Expected a UUIDv7'),
  z.transform((id) => id.toLowerCase()),
)
