import type * as z from 'zod/mini'

/**
 * The value of a column that holds JSON; undefined if the column is empty, or if a newer build wrote it in a form that this build
 * does not know.
 */
export function storedJson<Schema extends z.ZodMiniType>(
  schema: Schema,
  text: unknown,
): z.output<Schema> | undefined {
  if (typeof text !== 'string') return undefined
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
