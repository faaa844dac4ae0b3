import * as z from 'zod/mini'
import { daySchema, instantFromWire, instantSchema, instantTextSchema } from '#platform/calendar/day.ts'
import { rangeSchema } from '#platform/calendar/range.ts'
import { rowIdSchema } from '#platform/wire/row-id.ts'
import { textSchema } from '#platform/wire/text.ts'

/** A task with a title that is open or completed, as it travels. */
export const todoSchema = z.object({
  id: z.string(),
  title: z.string(),
  completed: z.union([z.literal(0), z.literal(1)]),
  completed_at: z.nullable(z.string()),
  /** The person's own day by which it is to be done. */
  due_day: z.nullable(daySchema),
  /** The instant at which they want to be reminded of it. */
  remind_at: z.nullable(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Todo = z.infer<typeof todoSchema>

export const todoListSchema = z.object({ todos: z.array(todoSchema) })

/** `todos`: the newest 50 of the range, or the 50 next older ones than `before`. */
export const completedTodosSchema = z.object({
  count: z.number(),
  days: z.array(z.object({ day: z.string(), count: z.number() })),
  todos: z.array(z.extend(todoSchema, { completed_on: daySchema })),
})
export type CompletedTodos = z.infer<typeof completedTodosSchema>

export const completedRangeSchema = z.extend(rangeSchema, { before: z.optional(rowIdSchema) })

export const completedSchema = z.union([z.literal(0), z.literal(1)], 'Expected 0 or 1')

export const titleSchema = textSchema('Title', 500)

export const dueDaySchema = daySchema.check(
  z.refine((day) => day <= '2199-12-31', 'Expected a day before 2200'),
)

const [firstReminder, endOfReminders] = [Date.UTC(2000, 0, 1), Date.UTC(2200, 0, 1)]
export const remindAtSchema = instantTextSchema.check(
  z.refine((text) => {
    const instant = instantFromWire(text)
    return instant >= firstReminder && instant < endOfReminders
  }, 'Expected an instant from 2000 to 2199'),
)

const dueSchema = z.object({
  due_day: z.nullish(dueDaySchema),
  remind_at: z.nullish(z.pipe(remindAtSchema, z.transform(instantFromWire))),
})

export const newTodoSchema = z.object({
  title: titleSchema,
  completed: z._default(completedSchema, 0),
  ...dueSchema.shape,
  id: z.optional(rowIdSchema),
  day: z.optional(daySchema),
  at: z.optional(instantSchema),
})

export const todoChangeSchema = z.object({
  completed: completedSchema,
  title: z.optional(titleSchema),
  day: z.optional(daySchema),
  at: z.optional(instantSchema),
})

/** What is left out stays as it is; null takes a due day or a reminder away. */
export const todoEditSchema = z
  .object({ title: z.optional(titleSchema), ...dueSchema.shape, at: z.optional(instantSchema) })
  .check(
    z.refine(
      ({ title, due_day, remind_at }) =>
        title !== undefined || due_day !== undefined || remind_at !== undefined,
      { path: ['title'], message: 'Expected a title, a due day or a reminder' },
    ),
  )
