import * as z from 'zod/mini'
import { changeInstantSchema, daySchema } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { editShape, newShape } from '#platform/wire/synced-row.ts'
import { addedAmountSchema, setAmountSchema } from '../amounts/amounts.ts'
import { rhythmSchema, targetSchema } from '../rhythm/rhythm-schema.ts'
import { dayNoteSchema } from './habit.ts'
import { habitRow } from './habit-row.ts'

// What a device sends about habits. In a separate file, since no screen needs it.

/** Accepts spaces around the value, as the API always has. */
const frequencySchema = z.pipe(
  z.string().check(z.trim()),
  z.enum(['daily', 'weekly'], 'Expected daily or weekly'),
)

/** `rhythm` takes precedence over `frequency`. Rhythm and target hold from `from_day` on, by default from the start day. */
export const newHabitSchema = z.object({
  ...newShape(habitRow),
  frequency: z._default(frequencySchema, 'daily'),
  rhythm: z.optional(rhythmSchema),
  target: z.optional(targetSchema),
  from_day: z.optional(daySchema),
  start_date: daySchema,
  id: z.optional(rowIdSchema),
  at: z.optional(changeInstantSchema),
})

/** Sending the frequency that the last response contained changes nothing. `from_day` is today by default. */
export const habitChangeSchema = z.object({
  ...editShape(habitRow),
  frequency: z.optional(frequencySchema),
  rhythm: z.optional(rhythmSchema),
  target: z.optional(targetSchema),
  from_day: z.optional(daySchema),
  at: z.optional(changeInstantSchema),
})

export const completeSchema = z.object({
  date: z.optional(daySchema),
  completed: z.optional(z.boolean()),
  at: z.optional(changeInstantSchema),
})

/**
 * The new state and note of a day. If the target is an amount, `done` ticks the day: the server adds the missing amount. A note
 * that is left out stays as it is. `keeps_amount` marks a `none` that only takes back a skip: the amount stays even if another
 * device has taken the skip back already.
 */
export const dayChangeSchema = z
  .object({
    state: z.optional(z.enum(['done', 'skipped', 'none'], 'Expected done, skipped or none')),
    keeps_amount: z.optional(z.boolean()),
    note: z.optional(dayNoteSchema),
    at: z.optional(changeInstantSchema),
  })
  .check(
    z.refine(({ state, note }) => state !== undefined || note !== undefined, {
      path: ['state'],
      message: 'Expected a state or a note',
    }),
  )

/** The most ids of replaced adds that a set may name in a request or a file. */
export const mostSettled = 1_000
export const settlesSchema = z
  .array(rowIdSchema)
  .check(z.maxLength(mostSettled, `Expected at most ${mostSettled.toLocaleString('en')} entries`))

/** Adds to the amount of a day, or sets it. Without `settles`, a set replaces all older adds. */
export const newAmountSchema = z.pipe(
  z.object({
    day: daySchema,
    value: z.int('Expected an amount in whole thousandths'),
    set: z._default(z.boolean(), false),
    settles: z.optional(settlesSchema),
    id: z.optional(rowIdSchema),
    at: z.optional(changeInstantSchema),
  }),
  z.transform((entry, context) => {
    const value = (entry.set ? setAmountSchema : addedAmountSchema).safeParse(entry.value)
    for (const issue of value.error?.issues ?? []) {
      context.issues.push({ code: 'custom', message: issue.message, path: ['value'], input: entry.value })
    }
    return entry
  }),
)
