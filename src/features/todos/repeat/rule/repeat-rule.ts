import * as z from 'zod/mini'
import { type Day, daySchema, lastChoosable } from '#platform/calendar/day.ts'
import { type WeekStart, weekdayOf } from '#platform/calendar/week.ts'

/** The rule by which a to-do repeats. Fields that a request leaves out are filled in once (`filledIn`) and stored. */
export type RepeatRule = DueRule | DoneRule

/** The to-do is due on days that are known in advance, whenever it was done. */
export type DueRule = {
  mode: 'due'
  every: number
  until?: Day | undefined
  /** How many days the series has, done or not. */
  times?: number | undefined
  /** The first possible day of the series. The day itself is part of the series only if the rule matches it. */
  from: Day
} & (
  | { freq: 'day' }
  | { freq: 'week'; weekdays: readonly WeekStart[]; week_start: WeekStart }
  | { freq: 'month' | 'year'; days: readonly number[] }
  | { freq: 'month' | 'year'; nth: readonly NthWeekday[] }
)

/** The to-do comes back some time after it was done. */
export type DoneRule = {
  mode: 'done'
  freq: Frequency
  every: number
  until?: Day | undefined
  /** How many times the to-do is done before the rule ends. */
  times?: number | undefined
  from: Day
}

export type Frequency = 'day' | 'week' | 'month' | 'year'

/**
 * [2, 7] is the second Sunday of a month, [-1, 5] the last Friday. For the fifth Monday, for example, months that have none are
 * skipped.
 */
export type NthWeekday = readonly [nth: number, weekday: WeekStart]

/** The limit of `times` and of `every`. */
export const mostTimes = 999

const weekdaySchema = z.union(
  [z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5), z.literal(6), z.literal(7)],
  'Expected a weekday from 1 (Monday) to 7 (Sunday)',
)
const dayOfMonthSchema = z
  .int('Expected days of the month')
  .check(
    z.refine(
      (day) => day === -1 || (day >= 1 && day <= 31),
      'Expected a day from 1 to 31, or -1 for the last',
    ),
  )
const nthSchema = z
  .int('Expected a number from 1 to 5, or -1 for the last')
  .check(
    z.refine(
      (nth) => nth === -1 || (nth >= 1 && nth <= 5),
      'Expected a number from 1 to 5, or -1 for the last',
    ),
  )
const seriesDaySchema = daySchema.check(z.refine((day) => day <= lastChoosable, 'Expected a day before 2200'))
const countSchema = z
  .int('Expected a whole number')
  .check(z.minimum(1, 'Expected at least 1'), z.maximum(mostTimes, `Expected at most ${mostTimes}`))

const some = <Item extends z.core.$ZodType>(item: Item) =>
  z.optional(z.array(item).check(z.minLength(1, 'Expected at least one'), z.maxLength(60, 'Expected fewer')))

/** A rule as requests contain it. Some fields may be left out (`filledIn`). */
export const sentRuleSchema = z
  .strictObject({
    freq: z.enum(['day', 'week', 'month', 'year'], "Expected 'day', 'week', 'month' or 'year'"),
    every: countSchema,
    weekdays: some(weekdaySchema),
    days: some(dayOfMonthSchema),
    nth: some(z.tuple([nthSchema, weekdaySchema])),
    week_start: z.optional(weekdaySchema),
    mode: z.enum(['due', 'done'], "Expected 'due' or 'done'"),
    until: z.optional(seriesDaySchema),
    times: z.optional(countSchema),
    from: seriesDaySchema,
  })
  .check(
    z.refine((rule) => rule.mode === 'due' || daysGiven(rule).length === 0, {
      path: ['mode'],
      message: 'A rule that counts from the day it was done names no days',
    }),
    z.refine((rule) => daysGiven(rule).every((field) => fieldsOf[rule.freq].includes(field)), {
      path: ['freq'],
      message: 'Expected weekdays for weeks, and days or weekdays of the month for months and years',
    }),
    z.refine(({ days, nth }) => !(days && nth), {
      path: ['nth'],
      message: 'Expected either days or weekdays of the month',
    }),
    z.refine(({ until, from }) => until === undefined || until >= from, {
      path: ['until'],
      message: 'Expected a day that is not before the first',
    }),
  )
export type SentRule = z.infer<typeof sentRuleSchema>

const fieldsOf: Record<Frequency, readonly string[]> = {
  day: [],
  week: ['weekdays', 'week_start'],
  month: ['days', 'nth'],
  year: ['days', 'nth'],
}

function daysGiven(rule: object): string[] {
  return Object.values(fieldsOf)
    .flat()
    .filter((field, place, all) => all.indexOf(field) === place && field in rule)
}

/** Fills in the fields that a rule leaves out, from its first day and the first day of the person's week. */
export function filledIn(
  { freq, every, mode, until, times, from, weekdays, days, nth, week_start }: SentRule,
  weekStart: WeekStart,
): RepeatRule {
  const ends = { ...(until && { until }), ...(times && { times }) }
  if (mode === 'done') return { freq, every, mode, ...ends, from }
  if (freq === 'day') return { freq, every, mode, ...ends, from }
  if (freq === 'week') {
    const on = { weekdays: inOrder(weekdays ?? [weekdayOf(from)]), week_start: week_start ?? weekStart }
    return { freq, every, ...on, mode, ...ends, from }
  }
  if (nth) return { freq, every, nth, mode, ...ends, from }
  return { freq, every, days: inOrder(days ?? [Number(from.slice(8))]), mode, ...ends, from }
}

/** Sorts numbers and removes duplicates. -1, the last day of a month, comes last. */
function inOrder<Value extends number>(numbers: readonly Value[]): Value[] {
  const place = (number: number) => (number < 0 ? Number.POSITIVE_INFINITY : number)
  return [...new Set(numbers)].sort((one, other) => place(one) - place(other))
}

/** The rule that a to-do was stored with; undefined if a newer version wrote it in a form that this version cannot read. */
export function ruleOf(repeat: object): RepeatRule | undefined {
  const read = rules.get(repeat)
  if (read) return read.rule
  const sent = sentRuleSchema.safeParse(repeat).data
  const rule = sent && filledIn(sent, 1)
  rules.set(repeat, { rule })
  return rule
}

/** A cache: each rule object is parsed only once, however often rows are drawn. */
const rules = new WeakMap<object, { rule: RepeatRule | undefined }>()
