import * as z from 'zod'

/** Ids are UUIDv7, unique within their user; a client may make them, so that a create sent twice exists once. */
export const rowIdSchema = z.uuidv7('Expected a UUIDv7').transform((id) => id.toLowerCase())
