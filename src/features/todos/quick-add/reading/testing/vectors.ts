import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { prioritySchema } from '#features/todos/todo/todo-row.ts'
import { daySchema } from '#platform/calendar/day.ts'

/**
 * The expected reading of a text. Fields that are left out have their empty value. `repeat` is in the words of the repeat picker.
 */
const vectorSchema = z.strictObject({
  text: z.string(),
  title: z.string(),
  due_day: z._default(z.nullable(daySchema), null),
  time: z._default(z.nullable(z.string()), null),
  repeat: z._default(z.nullable(z.string()), null),
  list: z._default(z.nullable(z.string()), null),
  is_new_list: z._default(z.boolean(), false),
  tags: z._default(z.array(z.string()), []),
  priority: z._default(prioritySchema, 0),
})
export type Vector = z.output<typeof vectorSchema>

const fileSchema = z.object({
  today: daySchema,
  week_start: z.literal([1, 6, 7]),
  lists: z.array(z.string()),
  vectors: z.array(vectorSchema),
})

/** The test vectors of a language, which test both the rules and the API. They are plain JSON that a person can check. */
export function vectorsOf(language: string) {
  const file = new URL(`../${language}.vectors.json`, import.meta.url)
  return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
}
