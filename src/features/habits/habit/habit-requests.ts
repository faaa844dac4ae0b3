import * as z from 'zod/mini'
import { changeInstantSchema, daySchema } from '#platform/calendar/day.ts'
import { rowIdSchema } from '#platform/wire/ids/row-id.ts'
import { editShape, newShape } from '#platform/wire/synced-row.ts'
import { addedAmountSchema, setAmountSchema } from '../amounts/amounts.ts'
import { rhythmSchema, targetSchema } from '../rhythm/rhythm-schema.ts'
import { dayNoteSchema } from './habit.ts'
import { habitRow } from './habit-row.ts'

// What a device sends about habits. In a file of its own, since no screen needs it.

/** It has always been accepted with spaces around it. */
const frequencySchema = z.pipe(
  z.string().check(z.trim()),
  z.enum(['daily', 'weekly'], 'Expected daily or weekly'),
)

/** `rhythm` wins over `frequency`. Both, and `target`, hold from `from_day` on: the start day, if it is left out. */
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

/** Writing the frequency that is answered changes nothing. `from_day` is today, if it is left out. */
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
 * What becomes of a day; `done` of an amount is its tick. A note left out stays as it is. `keeps_amount` says that `none` only
 * takes a skip back, whoever else has taken it back by then.
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

/** The most adds that a request, or a file, may name as replaced by a set. */
export const mostSettled = 1_000
export const settlesSchema = z
  .array(rowIdSchema)
  .check(z.maxLength(mostSettled, `Expected at most ${mostSettled.toLocaleString('en')} entries`))

/** Adds to the amount of a day, or sets it. Without `settles`, a set replaces all adds that are older than it. */
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
