import fc from 'fast-check'
import { addDays, type Day, dayNumber, dayOf } from '#platform/calendar/day.ts'
import type { WeekStart } from '#platform/calendar/week.ts'
import { minutesUnit } from '../amounts/minutes.ts'
import type { HabitDays, Pause } from '../rhythm/habit-track.ts'
import type { Rhythm, RhythmRow, Target } from '../rhythm/rhythm.ts'

const zones = Intl.supportedValuesOf('timeZone')

/** Derives today from an instant and a time zone, so that clock changes and the date line affect it as in real life. */
export const someToday: fc.Arbitrary<Day> = fc
  .tuple(
    fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2040, 0, 1) }),
    fc.constantFrom(...zones),
    fc.integer({ min: 0, max: 360 }),
  )
  .map(([instant, zone, dayStart]) => dayOf(instant, zone, dayStart))

export const someWeekStart = fc.constantFrom<WeekStart[]>(1, 2, 3, 4, 5, 6, 7)

const someDayCount = fc.integer({ min: 1, max: 40 })
export const someRhythm: fc.Arbitrary<Rhythm> = fc.oneof(
  fc.constant({ every: 1 }),
  fc.constant({ times: 1, per: 'week' as const }),
  fc.record({ times: fc.integer({ min: 1, max: 7 }), per: fc.constant('week' as const) }),
  fc.record({ times: fc.integer({ min: 1, max: 28 }), per: fc.constant('month' as const) }),
  someDayCount.chain((days) =>
    fc.record({ times: fc.integer({ min: 1, max: Math.min(days, 6) }), days: fc.constant(days) }),
  ),
  fc.record({
    weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 }),
  }),
  fc.record({ every: someDayCount }),
)

/** Small amounts, so that targets are sometimes reached. */
export const someTarget: fc.Arbitrary<Target> = fc.oneof(
  fc.constant('yes' as const),
  fc.record({
    at: fc.constant('least' as const),
    amount: fc.integer({ min: 1, max: 30 }),
    unit: fc.constantFrom('glasses', 'km', minutesUnit),
    per: fc.constantFrom('day', 'day', 'week', 'month'),
  }),
  fc.record({
    at: fc.constant('most' as const),
    amount: fc.integer({ min: 0, max: 30 }),
    unit: fc.constantFrom('cups', 'h', minutesUnit),
    per: fc.constantFrom('day', 'day', 'week', 'month'),
  }),
)

const somePause = fc.record({
  back: fc.integer({ min: -10, max: 130 }),
  length: fc.oneof(fc.integer({ min: -2, max: 25 }), fc.constant(null)),
})

/** How diligently a person keeps the habit: the percentages of done, skipped and entered days. `most` limits the amounts. */
const someEagerness = fc.constantFrom(
  { done: 50, skipped: 8, entered: 60, most: 12 },
  { done: 92, skipped: 3, entered: 95, most: 20 },
  { done: 15, skipped: 25, entered: 15, most: 8 },
)

/**
 * A habit of up to 150 days with changes of rhythm and target, skips, pauses and amounts, and the day on which it is looked at.
 */
export const someHabit: fc.Arbitrary<{ habit: HabitDays; today: Day }> = fc
  .record({
    today: someToday,
    weekStart: someWeekStart,
    started: fc.integer({ min: 0, max: 150 }),
    rows: fc.array(
      fc.record({
        back: fc.integer({ min: -8, max: 160 }),
        rhythm: fc.option(someRhythm, { freq: 4 }),
        target: fc.option(someTarget, { freq: 2 }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    dice: fc.array(fc.tuple(fc.nat({ max: 99 }), fc.nat({ max: 99 }), fc.nat({ max: 19 })), {
      minLength: 20,
      maxLength: 153,
      size: 'max',
    }),
    eagerness: someEagerness,
    pauses: fc.array(somePause, { maxLength: 3 }),
    archived: fc.option(fc.integer({ min: 0, max: 60 }), { freq: 1 }),
    isArchived: fc.nat({ max: 9 }),
    ahead: fc.nat({ max: 2 }),
    // Days before the start that may have entries, as if the start had been chosen later.
    before: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 40 })),
  })
  .map((recipe) => {
    const { today, weekStart, started, dice, eagerness } = recipe
    const startDay = addDays(today, -started)
    const states = new Map<Day, 'done' | 'skipped'>()
    const amounts = new Map<Day, number>()
    for (let back = -recipe.ahead; back <= started + recipe.before; back += 1) {
      const [state, entry, amount] = dice[(back + recipe.ahead) % dice.length] ?? [99, 99, 0]
      const day = addDays(today, -back)
      if (state < eagerness.done) states.set(day, 'done')
      else if (state < eagerness.done + eagerness.skipped) states.set(day, 'skipped')
      if (entry < eagerness.entered) amounts.set(day, amount % eagerness.most)
    }
    const rows = new Map(
      recipe.rows.map(({ back, rhythm, target }): [Day, RhythmRow] => {
        const from_day = addDays(today, -back)
        return [from_day, { from_day, rhythm, target }]
      }),
    )
    const pauses = recipe.pauses.map(({ back, length }): Pause => {
      const from_day = addDays(today, -back)
      return { from_day, to_day: length === null ? null : addDays(from_day, length) }
    })
    const archivedOn =
      recipe.archived !== null && recipe.isArchived === 0 ? addDays(today, -recipe.archived) : null
    return {
      today,
      habit: { rows: [...rows.values()], startDay, archivedOn, states, amounts, pauses, weekStart },
    }
  })

/** Moves a habit so that another day is today, and completes its first row, since stored first rows have no null parts. */
export function asOf(today: Day, { habit, today: seen }: { habit: HabitDays; today: Day }): HabitDays {
  const by = dayNumber(today) - dayNumber(seen)
  const move = (day: Day) => addDays(day, by)
  return {
    rows: habit.rows
      .toSorted((a, b) => (a.from_day < b.from_day ? -1 : 1))
      .map(({ from_day, rhythm, target }, place) => ({
        from_day: move(from_day),
        rhythm: rhythm ?? (place === 0 ? { every: 1 } : null),
        target: target ?? (place === 0 ? 'yes' : null),
      })),
    startDay: move(habit.startDay),
    archivedOn: habit.archivedOn && move(habit.archivedOn),
    states: new Map([...habit.states].map(([day, state]) => [move(day), state])),
    amounts: new Map([...habit.amounts].map(([day, amount]) => [move(day), amount])),
    pauses: habit.pauses.map(({ from_day, to_day }) => ({
      from_day: move(from_day),
      to_day: to_day && move(to_day),
    })),
    weekStart: habit.weekStart,
  }
}
