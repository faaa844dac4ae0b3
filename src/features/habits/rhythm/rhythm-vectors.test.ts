import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { addDays, type Day, dayFromNumber, dayNumber, daySchema } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { countedDays } from '../past/due-by-day.ts'
import { numbersOf } from '../past/habit-summary.ts'
import { countResults, listedRateRange } from '../strength/completion-rate.ts'
import { isCompletedOn, isLeftToDo, statesOf, tickOf } from './day-state.ts'
import { trackOf } from './habit-track.ts'
import { resultsBetween } from './period-result.ts'
import { frequencyOf, rhythmOn } from './rhythm.ts'
import { rhythmSchema, targetSchema } from './rhythm-schema.ts'
import vectors from './rhythm-vectors.json' with { type: 'json' }

/** One vector: `days` has a sign for each day from its first on: x done, s skipped, . neither; | and spaces only part weeks. */
const vectorSchema = z.strictObject({
  name: z.string(),
  rows: z.array(
    z.strictObject({
      from_day: daySchema,
      rhythm: z.optional(rhythmSchema),
      target: z.optional(targetSchema),
    }),
  ),
  start: daySchema,
  today: daySchema,
  days: z.optional(z.string()),
  amounts: z.optional(z.record(z.string(), z.int())),
  /** 'first last', or 'first' until resumed. */
  pauses: z.optional(z.array(z.string())),
  archived: z.optional(daySchema),
  week_start: z.optional(z.int()),
  expect: z.strictObject({
    periods: z.optional(z.array(z.string())),
    states: z.optional(z.record(z.string(), z.string())),
    streak: z.optional(z.string()),
    longest: z.optional(z.int()),
    records: z.optional(z.record(z.string(), z.int())),
    rate: z.optional(z.string()),
    strength: z.optional(z.nullable(z.number())),
    now: z.optional(z.string()),
    completed: z.optional(z.boolean()),
    /** Whether it is still to be done today. */
    left: z.optional(z.boolean()),
    tick: z.optional(z.nullable(z.record(z.string(), z.int()))),
    frequency: z.optional(z.string()),
    /** The days on which it is counted, as completed/due. */
    counted: z.optional(z.record(z.string(), z.string())),
  }),
})

describe('the vectors that a person can check', () => {
  test('are at least sixty', () => expect(vectors.length).toBeGreaterThanOrEqual(60))

  test.each(z.parse(z.array(vectorSchema), vectors))('$name', (vector) => {
    const { today } = vector
    const track = trackOf({
      rows: vector.rows.map(({ from_day, rhythm = null, target = null }) => ({ from_day, rhythm, target })),
      startDay: vector.start,
      archivedOn: vector.archived ?? null,
      states: statesIn(vector.days ?? ''),
      amounts: new Map(Object.entries(vector.amounts ?? {}).map(([day, amount]) => [day as Day, amount])),
      pauses: (vector.pauses ?? []).map((pause) => {
        const [from_day, to_day = null] = pause.split(' ') as [Day, Day?]
        return { from_day, to_day }
      }),
      weekStart: (vector.week_start ?? 1) as WeekStart,
    })
    const numbers = numbersOf(track, today)
    const { done, due } = countResults(track, listedRateRange(track, today), today)
    const { rhythm, target } = rhythmOn(
      vector.rows.map(({ from_day, rhythm: own = null, target: goal = null }) => ({
        from_day,
        rhythm: own,
        target: goal,
      })),
      today,
    )
    const now = dayNumber(today)
    const all = {
      periods: resultsBetween(track, Number.NEGATIVE_INFINITY, now, now).map(
        ({ period, result, reached, target: asked }) =>
          `${dayFromNumber(period.first)} to ${dayFromNumber(period.last)} ${result} ${reached} of ${asked}`,
      ),
      states: Object.fromEntries(
        Object.keys(vector.expect.states ?? {}).map((text) => {
          const day = text as Day
          return [day, statesOf(track, { from: day, to: day }, today)[0]?.state]
        }),
      ),
      streak: `${numbers.streaks.current} ${numbers.streaks.unit}`,
      longest: numbers.streaks.longest,
      records: numbers.streaks.records,
      rate: `${done} of ${due}`,
      strength: numbers.strength === null ? null : Math.round(100 * numbers.strength) / 100,
      now: numbers.now
        ? `${numbers.now.result} ${numbers.now.reached} of ${numbers.now.target}, ${numbers.now.daysLeft} left`
        : undefined,
      completed: isCompletedOn(track, today),
      left: isLeftToDo(track, today),
      tick: tickOf(track, today, today),
      frequency: frequencyOf(rhythm, target),
      counted: Object.fromEntries(
        countedDays(track, { from: vector.start, to: addDays(today, 7) }, today).map((counted) => [
          counted.day,
          `${counted.completed}/${counted.due}`,
        ]),
      ),
    }
    // A vector names what it is about; 'counted' then names every day on which something is.
    const asked = Object.fromEntries(Object.entries(all).filter(([key]) => key in vector.expect))
    expect(asked).toEqual(vector.expect)
  })
})

function statesIn(text: string): Map<Day, 'done' | 'skipped'> {
  const [first, ...parts] = text.split(' ')
  const states = new Map<Day, 'done' | 'skipped'>()
  const signs = parts.join('').replaceAll('|', '')
  for (const [index, sign] of [...signs].entries()) {
    if (sign === '.') continue
    states.set(addDays(first as Day, index), sign === 'x' ? 'done' : 'skipped')
  }
  return states
}
