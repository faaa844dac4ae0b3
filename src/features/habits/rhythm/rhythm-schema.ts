import * as z from 'zod/mini'
import { daySchema } from '#platform/calendar/day.ts'
import { textSchema } from '#platform/wire/text.ts'
import { mostAmount } from './rhythm.ts'

// The rhythms and targets that people and files may send. In a separate file, since only the dialog of a habit needs it.

const mostDays = 366

const timesSchema = z.int('Expected a whole number of times').check(z.minimum(1, 'Expected at least once'))
const daysSchema = z
  .int('Expected a whole number of days')
  .check(z.minimum(1, 'Expected at least 1 day'), z.maximum(mostDays, `Expected at most ${mostDays} days`))
const weekdaysSchema = z
  .array(
    z
      .int('Expected weekdays from 1 (Monday) to 7 (Sunday)')
      .check(
        z.refine(
          (weekday) => weekday >= 1 && weekday <= 7,
          'Expected weekdays from 1 (Monday) to 7 (Sunday)',
        ),
      ),
    'Expected a list of weekdays',
  )
  .check(
    z.minLength(1, 'Expected at least one weekday'),
    z.refine((weekdays) => new Set(weekdays).size === weekdays.length, 'Expected each weekday once'),
  )

const shapes =
  'Expected {times, per}, {times, days}, {weekdays} or {every}: 3 times a week, 2 times in 5 days, on weekdays, or every 2 days'

/** The shapes of a rhythm, by their sorted keys, which identify the shape. */
const shapeOfKeys = {
  'per,times': z
    .strictObject({ times: timesSchema, per: z.enum(['week', 'month'], 'Expected week or month') }, shapes)
    .check(
      z.refine(({ times, per }) => per !== 'week' || times <= 7, 'Expected at most 7 times a week'),
      z.refine(({ times, per }) => per !== 'month' || times <= 28, 'Expected at most 28 times a month'),
    ),
  'days,times': z
    .strictObject({ times: timesSchema, days: daysSchema }, shapes)
    .check(z.refine(({ times, days }) => times <= days, 'Expected at most as many times as days')),
  weekdays: z.strictObject({ weekdays: weekdaysSchema }, shapes),
  every: z.strictObject({ every: daysSchema }, shapes),
}

/** If the input has the keys of a known shape, the error message tells what is wrong with its values. */
export const rhythmSchema = z.union(
  [shapeOfKeys['per,times'], shapeOfKeys['days,times'], shapeOfKeys.weekdays, shapeOfKeys.every],
  {
    error({ input, errors }) {
      const keys = typeof input === 'object' && input !== null ? Object.keys(input).sort().join() : ''
      return errors?.[Object.keys(shapeOfKeys).indexOf(keys)]?.[0]?.message ?? shapes
    },
  },
)

const targetShapes = 'Expected "yes", or {at, amount, unit, per}'

const amountTargetSchema = z
  .strictObject(
    {
      at: z.enum(['least', 'most'], 'Expected least or most'),
      amount: z
        .int('Expected an amount in whole thousandths')
        .check(
          z.minimum(0, 'Expected an amount of at least 0'),
          z.maximum(mostAmount, `Expected an amount of at most ${mostAmount} thousandths`),
        ),
      unit: textSchema('Unit', 50),
      per: z.enum(['day', 'week', 'month'], 'Expected day, week or month'),
    },
    targetShapes,
  )
  .check(
    z.refine(({ at, amount }) => at === 'most' || amount >= 1, {
      message: 'Expected an amount of at least 1 thousandth',
      path: ['amount'],
    }),
  )

/** If the input is an object, the error message tells what is wrong with it. */
export const targetSchema = z.union([z.literal('yes'), amountTargetSchema], {
  error: ({ input, errors }) =>
    (typeof input === 'object' && input !== null && errors?.[1]?.[0]?.message) || targetShapes,
})

/** A rhythm and target from a day on, as they stand in a file. */
export const fileRhythmSchema = z.object({
  from_day: daySchema,
  rhythm: z.nullable(rhythmSchema),
  target: z.nullable(targetSchema),
})
