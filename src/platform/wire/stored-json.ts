import type * as z from 'zod/mini'

/** What a column holds as JSON; undefined where it holds nothing, or a form that a newer build wrote beside this one. */
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
